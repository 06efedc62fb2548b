#include "optimized/search/query.hpp"

#include <algorithm>
#include <bit>

#include "optimized/filters/affinity.hpp"
#include "optimized/filters/spread.hpp"
#include "optimized/filters/volumes.hpp"
#include "optimized/store/go_numbers.hpp"

namespace touchstone::optimized {

namespace {

/// PRE-TAINT-2
bool tolerates(const Toleration& toleration, const std::string& key, const std::string& value,
               const std::string& effect) {
  if (!toleration.effect.empty() && toleration.effect != effect) return false;
  if (!toleration.key.empty() && toleration.key != key) return false;
  if (toleration.op == "Exists") return true;
  return (toleration.op.empty() || toleration.op == "Equal") && toleration.value == value;
}

bool tolerates(const Pod& pod, const std::string& key, const std::string& value, const std::string& effect) {
  return std::any_of(pod.tolerations.begin(), pod.tolerations.end(),
                     [&](const Toleration& toleration) { return tolerates(toleration, key, value, effect); });
}

/// Whether two host ports conflict. `any_address` is the symbol of 0.0.0.0. Clauses: PRE-PORTS-1.
bool conflict(const HostPort& a, const HostPort& b, Symbol any_address) {
  if (a.protocol != b.protocol || a.number != b.number) return false;
  return a.address == b.address || a.address == any_address || b.address == any_address;
}

}  // namespace

NodeTerm node_term_of(const NodeSelectorTerm& term, const Numbering& number) {
  NodeTerm result{true, Selector::of_term(term.match_expressions, number), {}};
  for (const Requirement& field : term.match_fields) {
    if (field.key == "metadata.name" && is_valid_field(field)) {
      result.names.push_back({field.op == "In", number(field.values[0])});
    } else if (!holds_without_value(field)) {
      result.can_hold = false;
    }
  }
  return result;
}

/// Where a filter is implemented. A new filter needs a place here, else this does not compile.
constexpr std::uint32_t k_in_static_rejections = bit(Filter::node_unschedulable) | bit(Filter::node_name) |
                                                 bit(Filter::taint_toleration) | bit(Filter::node_affinity) |
                                                 bit(Filter::node_declared_features);
constexpr std::uint32_t k_in_full_fit = bit(Filter::node_ports) | bit(Filter::node_resources_fit) |
                                        bit(Filter::inter_pod_affinity) | bit(Filter::pod_topology_spread);
constexpr std::uint32_t k_in_volumes = bit(Filter::volume_restrictions) | bit(Filter::ebs_limits) |
                                       bit(Filter::gce_pd_limits) | bit(Filter::node_volume_limits) |
                                       bit(Filter::azure_disk_limits) | bit(Filter::volume_binding) |
                                       bit(Filter::volume_zone);
/// Filters of a Policy, with which a question is left to the reference (k_left_to_reference).
constexpr std::uint32_t k_in_reference_alone = bit(Filter::node_label) | bit(Filter::service_affinity);
static_assert((k_in_static_rejections | k_in_full_fit | k_in_volumes | k_in_reference_alone) ==
              (std::uint32_t{1} << k_filters.size()) - 1);
static_assert(std::all_of(k_filters.begin(), k_filters.end(), [](const FilterFacts& facts) {
  if ((k_in_reference_alone & bit(facts.filter)) != 0) return true;
  const bool is_static = (k_in_static_rejections & bit(facts.filter)) != 0;
  return facts.depends_on_pods ? !is_static : is_static || (k_in_volumes & bit(facts.filter)) != 0;
}));

Query::Query(const Tables& t, const Pod& p, Workers& workers, const std::vector<Extender>* own_extenders)
    : tables(t),
      release(t.release),
      pod(p),
      extenders(own_extenders != nullptr && !own_extenders->empty() ? *own_extenders : t.release.extenders),
      numbering([this](const std::string& text) { return number_of(text); }),
      ns(numbering(p.ns)),
      labels(numbered(p.labels, numbering)),
      priority(p.priority) {
  for (const std::vector<Filter>& group : release.filter_groups) {
    std::uint32_t bits = 0;
    for (const Filter filter : group) bits |= bit(filter);
    groups_.push_back(bits);
    filters_ |= bits;
    // Filters on pods other than those on volumes never err.
    late_ = (bits & k_in_volumes) != 0 ? 0 : late_ | (bits & k_in_static_rejections);
  }
  const auto named = tables.node_by_name.find(tables.symbols.find(pod.nominated_node_name));
  if (named != tables.node_by_name.end()) nominated_node = named->second;
  leave_self_out();
  read_requests();
  is_extreme = tables.extreme_pods > 0 || is_extreme_amount(cpu) || is_extreme_amount(memory);
  read_ports();
  read_taints();
  read_node_affinity();
  wanted_features_ = features_of(pod.node_features, release);
  needs_facts_ = node_name_ || !node_selector_.empty() || node_terms_ || added_terms_ ||
                 has_rejected_sidecar_ || wanted_features_ != 0;
  affinity = Affinity::made_for(*this, workers);
  spread = Spread::made_for(*this, workers);
  volumes = Volumes::made_for(*this);
  if (affinity || spread) reached_classes_.resize(tables.classes.size());
  for (std::uint32_t i = 0; i < reached_classes_.size(); ++i)
    reached_classes_[i] = (affinity && affinity->concerns(i)) || (spread && spread->concerns(i));
}

Query::~Query() = default;

Symbol Query::number_of(const std::string& text) {
  const Symbol known = tables.symbols.find(text);
  if (known != k_unknown_symbol) return known;
  const std::lock_guard lock(own_words_mutex_);
  const auto next = static_cast<Symbol>(tables.symbols.size() + own_symbols_.size());
  return own_symbols_.emplace(text, next).first->second;
}

bool Query::reaches_into(NodeIndex node) const {
  if (volumes && volumes->may_err()) return true;
  return has_reach() &&
         (has_nominated(node) || (affinity && affinity->has_counted_pods(node)) ||
          (spread && spread->has_counted_pods(node)) || (volumes && volumes->has_counted_pods(node)));
}

Rejections Query::reach_rejections(NodeIndex node) const {
  Rejections rejections;
  if (affinity) rejections.add(Filter::inter_pod_affinity, affinity->code_of(node, affinity->unchanged()));
  if (spread) rejections.add(Filter::pod_topology_spread, spread->code_of(node, spread->unchanged()));
  if (volumes) rejections.add(volumes->rejections(node, {}));
  return rejections;
}

void Query::leave_self_out() {
  for (const std::uint32_t number : tables.names.same_as(pod, tables.symbols.find(pod.ns))) {
    if (tables.where[number] == PodPlacement::nowhere) continue;
    selves_.push_back(number);
    const NodeIndex node = tables.node_of[number];
    if (tables.where[number] == PodPlacement::bound) without_self_.push_back({node, {}, {}, {}});
  }
  for (WithoutSelf& without : without_self_) {
    without.pods.add_node();
    const std::size_t count = tables.pods.count(without.node);
    for (std::size_t i = 0; i < count; ++i) {
      const PodRow row = tables.pods.row_at(without.node, i);
      if (is_self(row.pod)) continue;
      without.pods.insert(0, row, [](const PodRow&, const PodRow&) { return false; });
      const PodClass& pods = tables.classes[row.pod_class];
      for (const Amount& amount : pods.others) without.used.push_back(amount);
      const CpuAndMemory& beyond = pods.beyond_requests;
      without.scored = {go::sum(without.scored.cpu, go::sum(row.cpu, beyond.cpu)),
                        go::sum(without.scored.memory, go::sum(row.memory, beyond.memory))};
    }
  }
}

bool Query::is_self(std::uint32_t number) const {
  return std::find(selves_.begin(), selves_.end(), number) != selves_.end();
}

/// Reads which resources are checked, and how much of each is requested. Nothing is checked for a pod that
/// requests nothing. Clauses: PRE-FIT-2, PRE-FIT-3.
void Query::read_requests() {
  if (!has_filter(Filter::node_resources_fit)) return;  // CYC-PROFILE-1
  checks_pods = true;
  const Symbol storage = numbering("ephemeral-storage");
  Quantity storage_wanted = 0;
  bool requests_anything = false;
  std::vector<Amount> named;
  for (const auto& [name, amount] : requests_of(pod, release, RequestsOf::preemptor)) {
    const bool is_first = name == "cpu" || name == "memory" || name == "ephemeral-storage";
    if (name == "cpu") cpu = amount;
    if (name == "memory") memory = amount;
    if (name == "ephemeral-storage") storage_wanted = amount;
    if (!is_first && !is_ignored(name)) named.push_back({numbering(std::string(name)), amount});
    requests_anything = requests_anything || !is_first || amount > 0;
  }
  if (!requests_anything) return;
  checks_cpu = release.fit_checks_unrequested || cpu > 0;
  checks_memory = release.fit_checks_unrequested || memory > 0;
  if (release.fit_checks_unrequested || storage_wanted > 0) others.push_back({storage, storage_wanted});
  for (const Amount& amount : named) {
    if (release.fit_checks_zero_requests || amount.amount > 0) others.push_back(amount);
  }
}

/// EXT-RESOURCE-1: the resources that extenders alone manage replace those of the profile.
std::vector<std::string> Query::ignored_resources() const {
  std::vector<std::string> of_extenders;
  if (!release.extender_interest) return release.ignored_resources;
  for (const Extender& extender : extenders) {
    for (const ManagedResource& resource : extender.managed_resources) {
      if (resource.ignored_by_scheduler) of_extenders.push_back(resource.name);
    }
  }
  return of_extenders.empty() ? release.ignored_resources : of_extenders;
}

/// CYC-PROFILE-2: whether the configuration ignores this resource. It can ignore extended resources alone.
bool Query::is_ignored(std::string_view resource) const {
  const std::size_t slash = resource.find('/');
  if (slash == std::string_view::npos || resource.find("kubernetes.io/") != std::string_view::npos)
    return false;
  const auto has = [](const std::vector<std::string>& list, std::string_view text) {
    return std::find(list.begin(), list.end(), text) != list.end();
  };
  return has(ignored_resources(), resource) ||
         has(release.ignored_resource_groups, resource.substr(0, slash));
}

void Query::read_ports() {
  if (!has_filter(Filter::node_ports)) return;  // CYC-PROFILE-1
  for (const Port& port : host_ports_of(pod, release))
    ports.push_back(
        {numbering(std::string(port.protocol)), numbering(std::string(port.address)), port.number});
  if (ports.empty()) return;
  const Symbol any_address = numbering("0.0.0.0");
  conflicting_ports.resize(tables.classes.size());
  for (std::uint32_t i = 0; i < tables.classes.size(); ++i) {
    for (const HostPort& used : tables.classes[i].ports) {
      if (std::any_of(ports.begin(), ports.end(),
                      [&](const HostPort& wanted) { return conflict(wanted, used, any_address); }))
        conflicting_ports[i].push_back(used);
    }
  }
}

bool Query::tolerates(const TaintWords& taint) const {
  const Symbols& symbols = tables.symbols;
  return optimized::tolerates(pod, symbols.text(taint.key), symbols.text(taint.value),
                              symbols.text(taint.effect));
}

void Query::read_taints() {
  for (const std::vector<TaintWords>& taints : tables.taint_lists) {
    const bool all = std::all_of(taints.begin(), taints.end(),
                                 [this](const TaintWords& taint) { return tolerates(taint); });
    taint_rejections_.push_back(all ? 0 : bit(Filter::taint_toleration));
  }
  const bool tolerates_unschedulable =
      release.unschedulable_tolerable &&
      optimized::tolerates(pod, "node.kubernetes.io/unschedulable", "", "NoSchedule");
  unschedulable_rejections_ = tolerates_unschedulable ? 0 : bit(Filter::node_unschedulable);
  has_rejected_sidecar_ = release.sidecar_preemptor_rejected &&
                          std::any_of(pod.init_containers.begin(), pod.init_containers.end(),
                                      [](const Container& each) { return each.restart_always; });
}

void Query::read_node_affinity() {
  if (!pod.node_name.empty()) node_name_ = numbering(pod.node_name);
  for (const auto& [key, value] : pod.node_selector)
    node_selector_.emplace_back(numbering(key), numbering(value));
  if (pod.node_affinity) node_terms_ = node_terms_of(*pod.node_affinity);
  if (release.added_required_terms) added_terms_ = node_terms_of(*release.added_required_terms);
}

/// PRE-NODEAFFINITY-2: a term without a requirement matches nothing, and is left out.
std::vector<NodeTerm> Query::node_terms_of(const std::vector<NodeSelectorTerm>& terms) {
  std::vector<NodeTerm> result;
  for (const NodeSelectorTerm& term : terms) {
    if (!term.match_expressions.empty() || !term.match_fields.empty())
      result.push_back(node_term_of(term, numbering));
  }
  return result;
}

bool Query::holds(const NodeTerm& term, const NodeFacts& facts) const {
  return term.can_hold && term.expressions.matches(facts.labels, tables.symbols) &&
         std::all_of(term.names.begin(), term.names.end(), [&](const NodeTerm::Name& stated) {
           return (stated.name == facts.name) == stated.wants_it;
         });
}

bool Query::allows_by_affinity(NodeIndex node) const {
  const NodeFacts& facts = tables.nodes.facts[node];
  for (const auto& [key, value] : node_selector_) {
    if (value_of(facts.labels, key) != value) return false;
  }
  return !node_terms_ || std::any_of(node_terms_->begin(), node_terms_->end(),
                                     [&](const NodeTerm& term) { return holds(term, facts); });
}

bool Query::allows_by_configuration(NodeIndex node) const {
  return !added_terms_ || std::any_of(added_terms_->begin(), added_terms_->end(), [&](const NodeTerm& term) {
    return holds(term, tables.nodes.facts[node]);
  });
}

bool Query::has_prefilter(Filter filter) const {
  const std::vector<Filter>& off = release.prefilters_off;
  return std::find(off.begin(), off.end(), filter) == off.end();
}

std::uint32_t Query::fact_rejections(NodeIndex node) const {
  std::uint32_t rejections = 0;
  if (node_name_ && *node_name_ != tables.nodes.facts[node].name) rejections |= bit(Filter::node_name);
  if (!allows_by_affinity(node) || !allows_by_configuration(node)) rejections |= bit(Filter::node_affinity);
  if (has_rejected_sidecar_) rejections |= bit(Filter::node_resources_fit);
  if (lacks_features(node)) rejections |= bit(Filter::node_declared_features);
  return rejections & filters_;
}

Code Query::code_of(const Rejections& rejections) const {
  const std::uint32_t all = rejections.unschedulable | rejections.unresolvable | rejections.errors;
  for (const std::uint32_t group : groups_) {
    if ((all & group) == 0) continue;
    if ((rejections.errors & group) != 0) return Code::error;
    return (rejections.unresolvable & group) != 0 ? Code::unschedulable_and_unresolvable
                                                  : Code::unschedulable;
  }
  return Code::success;
}

Filter Query::first_of(std::uint32_t filters) const {
  const auto group = std::find_if(groups_.begin(), groups_.end(),
                                  [filters](std::uint32_t each) { return (each & filters) != 0; });
  return static_cast<Filter>(std::countr_zero(*group & filters));
}

Quantity Query::used(NodeIndex node, Symbol resource) const {
  const WithoutSelf* without = without_self(node);
  if (without == nullptr) return amount_of(tables.nodes.facts[node].used, resource);
  Quantity used = 0;
  for (const Amount& amount : without->used) {
    if (amount.resource == resource) used = go::sum(used, amount.amount);
  }
  return used;
}

std::vector<PodRow> Query::counted_of(NodeIndex node) const {
  std::vector<PodRow> counted;
  for (const PodRow& row : tables.nodes.facts[node].nominated) {
    if (row.priority >= priority && !is_self(row.pod)) counted.push_back(row);
  }
  return counted;
}

}  // namespace touchstone::optimized
