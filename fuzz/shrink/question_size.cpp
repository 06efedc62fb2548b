#include "fuzz/shrink/question_size.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fuzz/shrink/amounts.hpp"
#include "fuzz/shrink/names.hpp"
#include "fuzz/shrink/places.hpp"

namespace touchstone::fuzz {

std::string text_of(const Json& question) {
  return question.dump(-1, ' ', false, Json::error_handler_t::replace);
}

QuestionSize size_of(const Json& question) {
  QuestionSize size;
  size.values = places_of(question).size();
  for (const Amount& amount : amounts_of(question)) size.amounts += magnitude_of(amount);
  const Names names = names_of(question);
  size.names = names.names.size();
  size.names_not_plainest = static_cast<std::size_t>(std::count_if(
      names.names.begin(), names.names.end(), [](const Name& name) { return name.text != name.plainest; }));
  size.text = text_of(question);
  size.bytes = size.text.size();
  return size;
}

bool is_smaller(const Json& question, const QuestionSize& size) {
  const std::size_t values = places_of(question).size();
  return values != size.values ? values < size.values : size_of(question) < size;
}

}  // namespace touchstone::fuzz
