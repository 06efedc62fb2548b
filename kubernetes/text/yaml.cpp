#include "kubernetes/text/yaml.hpp"

#include <yaml.h>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <map>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "kubernetes/text/json.hpp"
#include "kubernetes/text/json_text.hpp"
#include "kubernetes/text/yaml_scalar.hpp"

namespace touchstone::kubernetes {

namespace {

/// Limit of nesting. libyaml takes quadratic time for deep flow style, and Document::parse accepts a depth of
/// 1024.
constexpr std::size_t k_depth_max = 1000;

/// Limit for the JSON bytes of one stream that anchors store, and that aliases and merge keys copy. kubectl
/// writes no anchors, and manifests written by hand expand to some kilobytes. kubectl itself accepts at most
/// about 400,000 nodes from aliases. A "billion laughs" text reaches this limit in a tenth of a second.
constexpr std::size_t k_copies_max = std::size_t{64} << 20;

constexpr std::string_view k_tag_prefix = "tag:yaml.org,2002:";

class Event {
 public:
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { yaml_event_delete(&event); }

  yaml_event_t event{};
};

class Parser {
 public:
  explicit Parser(std::string_view yaml) {
    if (yaml_parser_initialize(&parser) == 0) throw std::bad_alloc();
    // libyaml refuses the null pointer that an empty view may have.
    const char* const data = yaml.empty() ? "" : yaml.data();
    yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(data), yaml.size());
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  ~Parser() { yaml_parser_delete(&parser); }

  yaml_parser_t parser{};
};

std::string_view text_of(const yaml_char_t* text) {
  return text == nullptr ? std::string_view{} : reinterpret_cast<const char*>(text);
}

/// The kind of node that comes next in a list or a mapping.
enum class Next : std::uint8_t { element, key, value, merged };

/// A list or a mapping whose content is being read.
struct Open {
  Next next;
  std::size_t begin;        ///< where its JSON begins
  std::size_t keys_before;  ///< number of keys of the mappings around it
  std::string anchor;
  std::string merged;  ///< the value of its merge key; empty if there was none so far
};

/// A node with an anchor, which aliases can copy.
struct Anchor {
  std::size_t begin;                ///< where its JSON begins
  std::optional<std::string> json;  ///< nothing while the node is being read
};

class Conversion {
 public:
  Conversion(std::string_view yaml, const std::string& name) : parser_(yaml), name_(name) {}

  std::vector<std::string> documents();

 private:
  void read(const yaml_event_t& event);
  void open(Next next, std::string_view anchor);
  void close();
  void scalar(const yaml_event_t& event);
  void append_scalar(std::string_view text, bool is_plain, std::string_view tag);
  void alias(std::string_view anchor);

  std::size_t begin_node(std::string_view anchor);
  void end_node(std::size_t begin, std::string_view anchor);
  void end_key(std::size_t begin);
  void end_merged(std::size_t begin);
  void append_merged(const Open& mapping);
  void count_copy(std::size_t size);

  bool expects(Next next) const { return !open_.empty() && open_.back().next == next; }
  [[noreturn]] void fail(std::string code, const std::string& message) const;
  [[noreturn]] void fail_malformed() const;
  std::string path(const std::string& place) const { return name_.empty() ? place : name_ + ": " + place; }

  Parser parser_;
  const std::string& name_;
  yaml_mark_t mark_{};  ///< start of the event that is being read
  std::vector<std::string> documents_;
  std::string json_;  ///< JSON of the document that is being read
  bool is_empty_ = false;
  std::vector<Open> open_;
  std::vector<std::size_t> keys_;  ///< where the keys of the open mappings begin
  std::map<std::string, Anchor, std::less<>> anchors_;
  std::size_t copied_ = 0;
};

std::string place_of(const yaml_mark_t& mark) {
  return "line " + std::to_string(mark.line + 1) + ", column " + std::to_string(mark.column + 1);
}

void Conversion::fail(std::string code, const std::string& message) const {
  throw InvalidInput({std::move(code), path(place_of(mark_)), message});
}

void Conversion::fail_malformed() const {
  const yaml_parser_t& parser = parser_.parser;
  if (parser.error == YAML_MEMORY_ERROR) {
    throw InvalidInput({"input-too-large", name_, "expected memory for the YAML"});
  }
  std::string message = "expected YAML: ";
  if (parser.context != nullptr) message.append(parser.context).append(", ");
  if (parser.problem != nullptr) message.append(parser.problem);
  // An encoding error has a byte offset, but no line.
  const bool is_text = parser.error != YAML_READER_ERROR;
  const std::string place =
      is_text ? place_of(parser.problem_mark) : "byte " + std::to_string(parser.problem_offset + 1);
  throw InvalidInput({"yaml-malformed", path(place), message});
}

std::vector<std::string> Conversion::documents() {
  while (true) {
    Event next;
    if (yaml_parser_parse(&parser_.parser, &next.event) == 0) fail_malformed();
    if (next.event.type == YAML_STREAM_END_EVENT) return std::move(documents_);
    mark_ = next.event.start_mark;
    read(next.event);
  }
}

void Conversion::read(const yaml_event_t& event) {
  switch (event.type) {
    case YAML_DOCUMENT_START_EVENT:
      json_.clear();
      anchors_.clear();
      is_empty_ = false;
      break;
    case YAML_DOCUMENT_END_EVENT:
      assert(open_.empty());
      if (!is_empty_) documents_.push_back(std::move(json_));
      break;
    case YAML_SEQUENCE_START_EVENT:
      open(Next::element, text_of(event.data.sequence_start.anchor));
      break;
    case YAML_MAPPING_START_EVENT:
      open(Next::key, text_of(event.data.mapping_start.anchor));
      break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
      close();
      break;
    case YAML_SCALAR_EVENT:
      scalar(event);
      break;
    case YAML_ALIAS_EVENT:
      alias(text_of(event.data.alias.anchor));
      break;
    default:
      break;
  }
}

/// Writes the separator before a node, and registers its anchor. Returns where its JSON begins.
std::size_t Conversion::begin_node(std::string_view anchor) {
  if (expects(Next::value)) {
    json_ += ':';
  } else if (expects(Next::element) || expects(Next::key)) {
    if (json_.back() != '[' && json_.back() != '{') json_ += ',';
  }
  if (!anchor.empty()) anchors_.insert_or_assign(std::string(anchor), Anchor{json_.size(), std::nullopt});
  return json_.size();
}

void Conversion::end_node(std::size_t begin, std::string_view anchor) {
  if (!anchor.empty()) {
    // A node inside this one may have redefined the anchor.
    Anchor& known = anchors_.find(anchor)->second;
    if (known.begin == begin) {
      count_copy(json_.size() - begin);
      known.json = json_.substr(begin);
    }
  }
  if (expects(Next::key)) {
    end_key(begin);
    open_.back().next = Next::value;
  } else if (expects(Next::value)) {
    open_.back().next = Next::key;
  } else if (expects(Next::merged)) {
    end_merged(begin);
    open_.back().next = Next::key;
  }
}

void Conversion::open(Next next, std::string_view anchor) {
  if (open_.size() == k_depth_max) fail("yaml-malformed", "expected nesting of at most 1000");
  if (expects(Next::key)) fail("yaml-unsupported", "expected a key that is a string");
  const std::size_t begin = begin_node(anchor);
  json_ += next == Next::element ? '[' : '{';
  open_.push_back({next, begin, keys_.size(), std::string(anchor), ""});
}

void Conversion::close() {
  const Open closed = std::move(open_.back());
  open_.pop_back();
  assert(closed.next == Next::element || closed.next == Next::key);
  if (!closed.merged.empty()) append_merged(closed);
  keys_.resize(closed.keys_before);
  json_ += closed.next == Next::element ? ']' : '}';
  end_node(closed.begin, closed.anchor);
}

void Conversion::scalar(const yaml_event_t& event) {
  const auto& scalar = event.data.scalar;
  const std::string_view text(reinterpret_cast<const char*>(scalar.value), scalar.length);
  const std::string_view tag = text_of(scalar.tag);
  const std::string_view anchor = text_of(scalar.anchor);
  const bool is_plain = scalar.style == YAML_PLAIN_SCALAR_STYLE;

  const bool may_merge = tag == "tag:yaml.org,2002:merge" || (is_plain && tag.empty());
  if (text == "<<" && expects(Next::key) && may_merge) {
    if (!open_.back().merged.empty()) fail("yaml-unsupported", "expected << once in a mapping");
    open_.back().next = Next::merged;
    return;
  }
  is_empty_ = open_.empty() && text.empty() && is_plain && tag.empty() && anchor.empty();
  const std::size_t begin = begin_node(anchor);
  append_scalar(text, is_plain, tag);
  end_node(begin, anchor);
}

/// Appends the scalar as JSON. A scalar with a tag that is not YAML's own becomes a string, as in kubectl.
void Conversion::append_scalar(std::string_view text, bool is_plain, std::string_view tag) {
  const std::string_view type = tag.starts_with(k_tag_prefix) ? tag.substr(k_tag_prefix.size()) : "";
  if (type == "binary") fail("yaml-unsupported", "expected no !!binary");
  const bool is_typed =
      type == "null" || type == "bool" || type == "int" || type == "float" || type == "timestamp";
  if (!is_typed && (!is_plain || !tag.empty())) return append_json_string(json_, text);

  const Scalar scalar = resolve(text);
  const bool fits = !is_typed || (type == "null" && scalar.kind == ScalarKind::null) ||
                    (type == "bool" && scalar.kind == ScalarKind::boolean) ||
                    (type == "int" && scalar.kind == ScalarKind::integer) ||
                    (type == "float" && scalar.kind == ScalarKind::integer) ||
                    (type == "float" && scalar.kind == ScalarKind::decimal) ||
                    (type == "float" && scalar.kind == ScalarKind::not_finite) ||
                    (type == "timestamp" && is_timestamp(text));
  if (!fits) fail("yaml-malformed", "expected a value that fits !!" + std::string(type));
  if (scalar.kind == ScalarKind::not_finite) fail("yaml-unsupported", "expected a finite number");
  if (scalar.kind == ScalarKind::string) return append_json_string(json_, text);
  json_.append(scalar.json);
}

void Conversion::alias(std::string_view anchor) {
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end())
    fail("yaml-malformed", "expected the anchor &" + std::string(anchor) + " before");
  const std::optional<std::string>& json = found->second.json;
  if (!json) fail("yaml-unsupported", "expected no alias inside of the node that it stands for");
  count_copy(json->size());
  const std::size_t begin = begin_node("");
  json_.append(*json);
  end_node(begin, "");
}

void Conversion::count_copy(std::size_t size) {
  if (size > k_copies_max - copied_)
    fail("input-too-large", "expected at most 64 MiB of anchors and aliases");
  copied_ += size;
}

/// Converts the key that begins at `begin` to a string.
void Conversion::end_key(std::size_t begin) {
  keys_.push_back(begin);
  const char first = json_[begin];
  if (first == '"') return;
  if (first == '[' || first == '{' || first == 'n')
    fail("yaml-unsupported", "expected a key that is a string");
  const std::string text = json_.substr(begin);
  json_.resize(begin);
  append_json_string(json_, first == 't' || first == 'f' ? text : key_of_number(text));
}

/// Moves the value of a merge key from the JSON to its mapping. close() merges it when the mapping is
/// complete.
void Conversion::end_merged(std::size_t begin) {
  std::string merged = json_.substr(begin);
  json_.resize(begin);
  count_copy(merged.size());
  bool is_mergeable = merged[0] == '{' || merged[0] == '[';
  if (merged[0] == '[') {
    for (const std::string_view part : parts_of_json(merged)) is_mergeable &= part[0] == '{';
  }
  if (!is_mergeable) fail("yaml-malformed", "expected a mapping or a list of mappings to merge");
  open_.back().merged = std::move(merged);
}

/// Appends the merged members whose key is neither in this mapping nor in an earlier merged one. (In kubectl,
/// an own key before << loses. In YAML, an own key always wins.)
void Conversion::append_merged(const Open& mapping) {
  std::set<std::string, std::less<>> taken;
  for (std::size_t i = mapping.keys_before; i < keys_.size(); ++i) {
    taken.emplace(leading_json_string(std::string_view(json_).substr(keys_[i])));
  }
  const std::vector<std::string_view> merged = mapping.merged[0] == '['
                                                   ? parts_of_json(mapping.merged)
                                                   : std::vector<std::string_view>{mapping.merged};
  for (const std::string_view other : merged) {
    std::vector<std::string_view> keys;
    for (const std::string_view member : parts_of_json(other)) {
      keys.push_back(leading_json_string(member));
      if (taken.contains(keys.back())) continue;
      if (json_.back() != '{') json_ += ',';
      json_.append(member);
    }
    taken.insert(keys.begin(), keys.end());
  }
}

}  // namespace

Result<std::vector<std::string>> yaml_to_json(std::string_view yaml, const std::string& name) {
  try {
    return Conversion(yaml, name).documents();
  } catch (const InvalidInput& invalid) {
    return invalid.error;
  }
}

bool is_plain_string(std::string_view text) {
  return resolve(text).kind == ScalarKind::string && !is_timestamp(text) && !is_base_60(text) &&
         text != "<<" && text != "=";
}

}  // namespace touchstone::kubernetes
