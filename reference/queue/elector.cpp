#include "reference/queue/elector.hpp"

namespace touchstone::reference {

namespace {

bool holds(const Elector& elector) { return elector.seen && elector.seen->holder == elector.identity; }

/// LEA-EXPIRY-1: whether the record that the elector has seen is still that of another holder.
bool belongs_to_another(const Elector& elector, Quantity now_ns, const Release& release) {
  const LeaseRecord& record = *elector.seen;
  if (record.holder.empty() && !release.unseen_empty_holder_waits) return false;
  const Quantity lease_ns = release.lease_length_of_record ? record.lease_ns : elector.lease_ns;
  return record.holder != elector.identity && elector.seen_ns + lease_ns > now_ns;
}

/// LEA-WRITE-1: the record that the elector writes in place of the one that it has seen.
LeaseRecord own_record(const Elector& elector, Quantity now_ns) {
  LeaseRecord record{elector.identity, elector.lease_ns, now_ns, now_ns, 0};
  if (!elector.seen) return record;
  const bool is_renewed = holds(elector);
  if (is_renewed) record.acquired_ns = elector.seen->acquired_ns;
  record.transitions = elector.seen->transitions + (is_renewed ? 0 : 1);
  return record;
}

}  // namespace

std::optional<LeaseWrite> attempt(Elector& elector, const LeaseObject& read, Quantity now_ns,
                                  const Release& release) {
  if (!read.record) {
    elector.seen.reset();
    return LeaseWrite{own_record(elector, now_ns), read.version};
  }
  if (elector.seen != read.record) {  // LEA-SEEN-1
    elector.seen = read.record;
    elector.seen_ns = now_ns;
  }
  if (belongs_to_another(elector, now_ns, release)) return std::nullopt;
  return LeaseWrite{own_record(elector, now_ns), read.version};
}

/// LEA-RENEW-1
std::optional<LeaseWrite> attempt_without_reading(const Elector& elector, std::size_t version,
                                                  Quantity now_ns, const Release& release) {
  const bool lasts = holds(elector) && elector.seen_ns + elector.seen->lease_ns > now_ns;
  if (!release.renews_without_reading || !lasts) return std::nullopt;
  return LeaseWrite{own_record(elector, now_ns), version};
}

/// LEA-WRITE-1
bool write_lease(Elector& elector, LeaseObject& object, const LeaseWrite& write, Quantity now_ns) {
  if (object.version != write.version) return false;
  object.record = write.record;
  ++object.version;
  elector.seen = write.record;
  elector.seen_ns = now_ns;
  elector.succeeded_ns = now_ns;
  return true;
}

/// LEA-DEADLINE-1
bool gives_up(const Elector& elector, Quantity now_ns) {
  return now_ns - elector.succeeded_ns >= elector.retry_ns + elector.deadline_ns;
}

/// LEA-RELEASE-1
std::optional<LeaseWrite> released(const Elector& elector, std::size_t version, Quantity now_ns,
                                   const Release& release) {
  constexpr Quantity k_short_ns = 1'000'000'000;
  if (!release.releases_lease || !holds(elector)) return std::nullopt;
  return LeaseWrite{{"", k_short_ns, now_ns, now_ns, elector.seen->transitions}, version};
}

}  // namespace touchstone::reference
