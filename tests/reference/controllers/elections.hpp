#pragma once

#include <string>
#include <vector>

#include "reference/controllers/election.hpp"

/// A leader election with one lease.
namespace touchstone::tests::elections {

using namespace reference;

inline constexpr Quantity k_second = 1'000'000'000;

inline Election election_of(const char* release, std::vector<std::string> names) {
  Election election;
  election.release = find_release(release).value().release;
  for (const std::string& name : names) {
    Elector elector;
    elector.setup.name = name;
    elector.setup.releases = true;
    election.electors[name] = elector;
  }
  return election;
}

inline LeaseRecord record_of(const std::string& holder) { return {holder, 15, 0, 0, 3}; }

/// a leads, and a call of this kind of its renewal waits for an answer.
inline Election renewing(const char* release, LeaseCallKind kind = LeaseCallKind::update) {
  Election election = election_of(release, {"a"});
  start(election, "a");
  hold(election, "a", kind);
  advance(election, "a", 2 * k_second);
  return election;
}

}  // namespace touchstone::tests::elections
