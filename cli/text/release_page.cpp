#include "cli/text/release_page.hpp"

#include "cli/text/diff_text.hpp"
#include "oracle/explain/wording.hpp"
#include "spec/rules/rules.hpp"

namespace touchstone::cli {

namespace {

std::string name_of(int minor) { return "v1." + std::to_string(minor); }

/// Text of the release table as Markdown: with no character that Markdown would read as markup.
std::string plain(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view("\\`*_<>[]|").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string links_of(const Change& change) {
  std::string text;
  for (const std::string& address : pull_requests_of(change))
    text += (text.empty() ? "" : ", ") + std::string("[#") + address.substr(address.rfind('/') + 1) + "](" +
            address + ")";
  return text;
}

std::string cluster_of(const fuzz::ChangedBehaviour& behaviour, const fuzz::ReleaseStep& step, int minor) {
  if (is_over_time(*behaviour.change))
    return "This changes what the scheduler does over time; no single decision shows it.\n";
  if (!behaviour.witness) return "No cluster is known that shows this change.\n";
  const fuzz::ChangeWitness& witness = *behaviour.witness;
  const bool is_run = witness.command == oracle::Command::run;
  const std::string file = "clusters/" + name_of(minor) + (is_run ? "" : "-schedule") + ".json";
  const auto [from, to] = difference_in_words(witness, step.from);
  return "Smallest cluster: " + size_of(witness) + ", case `" + fuzz::case_name_of(*behaviour.change) +
         "` of [" + file + "](" + file + ").\n\n- " + step.from.version.text() + " " + plain(from) + "\n- " +
         step.to.version.text() + " " + plain(to) + "\n";
}

std::string section_of(const fuzz::ChangedBehaviour& behaviour, const fuzz::ReleaseStep& step, int minor) {
  const Change& change = *behaviour.change;
  const std::string links = links_of(change);
  return "\n### " + std::string(change.clause) + ", " + std::string(title_of(change.clause)) + "\n\n" +
         step.to.version.text() + (behaviour.is_new ? " has" : " no longer has") + " `" +
         std::string(change.name) + ": " + std::string(change.value) + "`. First in " +
         first_patches(change) + ". Evidence: " + plain(change.evidence) + "." +
         (links.empty() ? "" : " Links: " + links + ".") + "\n\n" + cluster_of(behaviour, step, minor);
}

std::size_t changes_in(const MinorRelease& release) {
  std::size_t count = 0;
  for (const fuzz::ReleaseStep& step : release.steps) count += step.behaviours.size();
  return count;
}

std::size_t shown_in(const MinorRelease& release) {
  std::size_t count = 0;
  for (const fuzz::ReleaseStep& step : release.steps) {
    for (const fuzz::ChangedBehaviour& each : step.behaviours) count += each.witness ? 1U : 0U;
  }
  return count;
}

}  // namespace

std::string first_patches(const Change& change) {
  std::string text;
  for (const FirstPatch& first : change.first) {
    if (!text.empty()) text += ", ";
    text += "1." + std::to_string(first.minor) + "." + std::to_string(first.patch);
    if (first.absent_through >= 0 && first.absent_through + 1 < first.patch) {
      text += " (not in 1." + std::to_string(first.minor) + "." + std::to_string(first.absent_through) + ")";
    }
  }
  return text;
}

std::string page_of(const MinorRelease& release) {
  const std::string name = name_of(release.minor);
  const fuzz::ReleaseStep& whole = release.steps.front();
  const std::string from = whole.from.version.text();
  const std::string to = whole.to.version.text();
  std::string text =
      "# What changed in " + name + "\n\nThis page lists the changes of kube-scheduler's decisions in " +
      name + ": " + oracle::count_of(changes_in(release), "change") + ", of which a cluster shows " +
      std::to_string(shown_in(release)) + ". The behaviour of " + name + " is " + evidence_of(release.minor) +
      ". `touchstone diff` writes this page ([how](README.md)).\n\n## From " + from + " to " + to + "\n";
  if (whole.behaviours.empty()) text += "\nNo change is known.\n";
  for (std::size_t i = 0; i < release.steps.size(); ++i) {
    const fuzz::ReleaseStep& step = release.steps[i];
    if (i > 0) text += "\n## From " + step.from.version.text() + " to " + step.to.version.text() + "\n";
    for (const fuzz::ChangedBehaviour& each : step.behaviours) text += section_of(each, step, release.minor);
  }
  return text;
}

std::string page_of_releases(const std::vector<MinorRelease>& releases) {
  const fuzz::ChangeSearch search;
  std::string text =
      "# What changed in each minor release\n\n"
      "A page lists the rows of the [release table](../../spec/releases.md) that changed in a minor release. "
      "The first\nsection compares its newest known patch with that of the minor release before. The other "
      "sections compare\npatches, and have the changes that the first section does not show.\n\n"
      "| release | changes | shown by a cluster |\n|---|---|---|\n";
  for (auto each = releases.rbegin(); each != releases.rend(); ++each) {
    const std::string name = name_of(each->minor);
    text += "| [" + name + "](" + name + ".md) | " + std::to_string(changes_in(*each)) + " | " +
            std::to_string(shown_in(*each)) + " |\n";
  }
  return text +
         "\nA cluster shows a change if both releases decide it differently, and one of them decides it "
         "differently without\nthis change alone. If the page says that no cluster is known, the search "
         "found none among the questions of\n`spec/vectors` and " +
         std::to_string(search.generated) +
         " generated clusters, of which a quarter have a configuration.\n\n" +
         "    touchstone diff --pages docs/releases             # writes the pages from the saved clusters\n"
         "    touchstone diff --pages docs/releases --search    # searches the clusters again\n"
         "    touchstone vectors docs/releases/clusters         # checks the answers to the clusters\n";
}

}  // namespace touchstone::cli
