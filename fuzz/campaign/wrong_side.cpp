#include "fuzz/campaign/wrong_side.hpp"

#include <nlohmann/json.hpp>

#include "kubernetes/objects/question.hpp"
#include "oracle/compare/difference_wording.hpp"
#include "spec/rules/rules.hpp"

namespace touchstone::fuzz {

namespace {

/// Whether a side's answer is one that its release may give. Nothing if the reference does not model the
/// question.
std::optional<bool> is_right(const SentQuestion& sent, const Participant& side, const Reply& reply) {
  if (side.is_reference()) return true;
  return oracle::may_give(sent.asked(), find_release(side.release()).value().release, reply.answer);
}

std::string sentence_of_failure(const Participants& sides, const Difference& difference) {
  std::string kind = difference.exchange.verdict.kind;
  std::string once;
  if (const std::string before = "not repeated: "; kind.starts_with(before)) {
    kind = kind.substr(before.size());
    once = ", but not when the question was repeated";
  }
  const bool is_left = kind.starts_with("left ");
  const std::vector<oracle::Difference>& differences = difference.exchange.verdict.differences;
  if (differences.empty())  // two engines in one process
    return sides.right.name() + " and " + sides.left.name() + " differed" + once;
  const std::string detail = differences.front().given;
  return (is_left ? sides.left : sides.right).name() + " is wrong: " + (is_left ? kind.substr(5) : kind) +
         once + (detail == "null" ? "" : ", " + detail);
}

}  // namespace

std::string titled(const std::string& clause) {
  const std::string title(title_of(clause));
  return title.empty() ? clause : clause + ", " + title;
}

std::string parting(const Participants& sides, const Difference& difference) {
  const oracle::Difference& first = difference.exchange.verdict.differences.front();
  const std::string left =
      sides.left.is_engine() ? "kube-scheduler " + sides.left.release() : sides.left.name();
  const std::string theirs = oracle::difference_phrase(first, first.given, difference.exchange.right.answer);
  const std::string ours = oracle::difference_phrase(first, first.ours, difference.exchange.left.answer);
  const bool is_order_alone = oracle::differ_in_order_alone(first);
  return "it " + theirs + (is_order_alone ? ", in this order, but " : ", but ") + left + " " + ours +
         (is_order_alone ? ": the same pods in another order" : "");
}

std::string sentence_of(const Participants& sides, const Difference& difference) {
  if (difference.exchange.verdict.kind != "answers") return sentence_of_failure(sides, difference);
  const SentQuestion& sent = difference.sent;
  const std::optional<bool> left = is_right(sent, sides.left, difference.exchange.left);
  const std::optional<bool> right = is_right(sent, sides.right, difference.exchange.right);
  const std::string by = " (" + titled(difference.found.clause) +
                         (difference.other_rules.empty() ? "" : "; or another rule, see below") + "): ";
  if (sides.left.is_reference() || (left == true && right == false))
    return sides.right.name() + " is wrong" + by + parting(sides, difference);
  const std::string both = sides.right.name() + " and " + sides.left.name();
  const std::string what = sides.right.name() + parting(sides, difference).substr(2);
  if (left == false && right == true) return sides.left.name() + " is wrong" + by + what;
  if (left == false && right == false) return both + " are both wrong" + by + what;
  if (left == true && right == true) return both + " differ" + by + what + "; each is right for its release";
  return both + " differ, and the reference does not know which is wrong: " + what;
}

}  // namespace touchstone::fuzz
