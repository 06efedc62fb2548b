#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <nlohmann/json.hpp>

#include "faults/judge.hpp"
#include "fuzz/generate/scenario.hpp"
#include "kubernetes/write/written.hpp"

namespace {

/// Prints the number of the first case in which something happened.
void tell_once(bool& is_told, std::uint64_t count, const char* what, std::uint64_t number) {
  if (is_told || count == 0) return;
  is_told = true;
  std::fprintf(stderr, "touchstone fault %s in case %llu\n", what, static_cast<unsigned long long>(number));
}

}  // namespace

/// Law: the copy of the reference that contains the seeded faults decides like the reference while no fault
/// is on. If TOUCHSTONE_FAULT names a fault, that fault is on, and the target measures how soon it is
/// detected.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace touchstone;
  static const faults::Fault* const fault = [] {
    const char* const name = std::getenv("TOUCHSTONE_FAULT");
    const faults::Fault* found = nullptr;
    for (const faults::Fault& each : faults::faults())
      if (name != nullptr && each.id == name) found = &each;
    if (name != nullptr && found == nullptr) std::fprintf(stderr, "no fault %s\n", name), std::exit(2);
    return found;
  }();
  static const Release release =
      find_release(fault == nullptr ? newest_release().text() : fault->release).value().release;
  static const fuzz::Scenarios scenarios = [] {
    fuzz::Scenarios small = fault == nullptr ? fuzz::whole_cycle_scenarios(release) : scenarios_of(*fault);
    small.families.erase(fuzz::Family::many_nodes);
    small.families.erase(fuzz::Family::sampling);
    small.most_nodes = 4;
    return small;
  }();
  static std::uint64_t cases = 0;
  static const std::clock_t begin = std::clock();

  ++cases;
  faults::fault_switch.on = fault == nullptr ? 0 : fault->number;
  fuzz::ByteChoices choices({data, data + size});
  const Question question = fuzz::scenario(choices, scenarios);
  const bool is_detected = faults::differs(question, release);
  static bool told_reached = false;
  static bool told_triggered = false;
  tell_once(told_reached, faults::fault_switch.reached, "reached", cases);
  tell_once(told_triggered, faults::fault_switch.triggered, "triggered", cases);
  if (!is_detected) return 0;
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  std::fprintf(stderr, "touchstone fault detected in case %llu after microseconds %llu\n%s\n",
               static_cast<unsigned long long>(cases), static_cast<unsigned long long>(seconds * 1e6),
               kubernetes::written(question).dump().c_str());
  std::abort();
}
