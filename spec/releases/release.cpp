#include "spec/releases/release.hpp"

#include <algorithm>
#include <charconv>

#include "spec/releases/release_table.hpp"

namespace touchstone {

namespace {

/// Reads the number at the start of `text` and removes it from `text`. Returns -1 if there is no number, or
/// if it is negative or too large for an int.
int take_number(std::string_view& text) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return -1;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

Error unknown_release(std::string_view name, std::string_view nearest) {
  const std::vector<Version>& known = known_releases();
  return Error{"unknown-release", "release",
               "unknown release \"" + std::string(name) + "\": known are v1." +
                   std::to_string(known.front().minor) + ".0 to " + known.back().text() +
                   "; the nearest is " + std::string(nearest)};
}

constexpr std::string_view k_not_recorded = "read in source, not recorded";

/// The recorded patches of a minor release: "v1.30.4, v1.30.14".
std::string recorded_patches(int minor) {
  std::string patches;
  for (const Version& version : recorded_releases()) {
    if (version.minor == minor) patches += (patches.empty() ? "" : ", ") + version.text();
  }
  return patches;
}

/// The recorded patches of the same minor release just before and just after a version: "v1.30.4, v1.30.14".
std::string nearest_recorded(Version version) {
  std::string before;
  for (const Version& recorded : recorded_releases()) {
    if (recorded.minor != version.minor) continue;
    if (recorded > version) return before.empty() ? recorded.text() : before + ", " + recorded.text();
    before = recorded.text();
  }
  return before;
}

}  // namespace

std::string Version::text() const { return "v1." + std::to_string(minor) + "." + std::to_string(patch); }

bool has_change(const Change& change, Version version) {
  for (const FirstPatch& first : change.first) {
    if (first.minor == version.minor) return version.patch >= first.patch;
  }
  return version.minor > change.first.back().minor;
}

Version newest_release() { return recorded_releases().back(); }

Release fold_release(Version version) {
  Release release;
  release.version = version;
  for (const Change& change : release_table()) {
    if (has_change(change, version)) change.apply(release);
  }
  return release;
}

Release with_toggled(const Release& release, const Change& toggled) {
  Release changed;
  changed.version = release.version;
  for (const Change& change : release_table()) {
    if (has_change(change, release.version) != (&change == &toggled)) change.apply(changed);
  }
  return changed;
}

std::string evidence_of(int minor) {
  const std::string patches = recorded_patches(minor);
  return patches.empty() ? std::string(k_not_recorded) : "recorded from running " + patches;
}

Result<NamedRelease> find_release(std::string_view name) {
  const std::vector<Version>& known = known_releases();
  if (name == "latest") return find_release(newest_release().text());
  std::string_view rest = name;
  if (rest.starts_with('v')) rest.remove_prefix(1);
  const int major = take_number(rest);
  if (major != 1 || !rest.starts_with('.')) return unknown_release(name, known.back().text());
  rest.remove_prefix(1);
  const int minor = take_number(rest);
  if (minor < 0) return unknown_release(name, known.back().text());
  if (minor < known.front().minor) return unknown_release(name, Version{known.front().minor, 0}.text());
  if (minor > known.back().minor) return unknown_release(name, known.back().text());

  const Version newest = known[static_cast<std::size_t>(minor - known.front().minor)];
  Version version = newest;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    version.patch = take_number(rest);
    if (version.patch < 0) return unknown_release(name, newest.text());
  }
  if (!rest.empty() && !rest.starts_with('-') && !rest.starts_with('+'))
    return unknown_release(name, newest.text());

  NamedRelease found;
  if (!rest.empty()) {
    found.notes.push_back("\"" + std::string(name) + "\" is answered as " + version.text());
  }
  if (version.patch > newest.patch) {
    found.notes.push_back(version.text() + " is later than the newest known patch and answered as " +
                          newest.text());
    version = newest;
  }
  if (minor == k_alpha_minor) {
    found.notes.push_back("v1." + std::to_string(minor) + " is in alpha: what it does may still change");
  }
  for (const Change& change : release_table()) {
    if (is_over_time(change) && !queue_is_modelled(version)) continue;  // no answer depends on it
    for (const FirstPatch& first : change.first) {
      if (first.minor != version.minor || version.patch >= first.patch) continue;
      if (first.absent_through < 0 || version.patch <= first.absent_through) continue;
      found.notes.push_back(version.text() + " lies between v1." + std::to_string(minor) + "." +
                            std::to_string(first.absent_through) + " and v1." + std::to_string(minor) + "." +
                            std::to_string(first.patch) + ": whether it has " + std::string(change.name) +
                            " = " + std::string(change.value) + " (" + std::string(change.clause) +
                            ") is not known; answered without");
    }
  }
  found.release = fold_release(version);
  const std::vector<Version> recorded = recorded_releases();
  const std::string patches = recorded_patches(minor);
  if (std::find(recorded.begin(), recorded.end(), version) != recorded.end()) {
    found.evidence = "recorded from the running release";
  } else {
    found.evidence =
        patches.empty() ? std::string(k_not_recorded) : "nearest recorded: " + nearest_recorded(version);
  }
  if (patches.empty()) {
    found.notes.push_back("v1." + std::to_string(minor) +
                          " is known by reading its source: no answer of a running v1." +
                          std::to_string(minor) + " was compared");
  }
  return found;
}

}  // namespace touchstone
