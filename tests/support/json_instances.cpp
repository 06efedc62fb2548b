#include <nlohmann/json.hpp>
#include <sstream>

/// The functions of the JSON library, compiled with optimization for a build without; see meson.build.
template class nlohmann::basic_json<nlohmann::ordered_map>;
template class nlohmann::basic_json<>;

namespace touchstone::tests {

/// Reads and writes in each way, so that the compiler makes the parser and the serializer.
template <typename Json>
std::string read_and_written(const std::string& text, std::istream& stream, const char* characters) {
  const std::array<Json, 4> read = {Json::parse(text), Json::parse(text.begin(), text.end(), nullptr, false),
                                    Json::parse(stream), Json::parse(characters)};
  std::ostringstream out;
  out << read[0];
  return read[1] == read[2] ? read[3].dump() : read[3].dump(1) + out.str();
}

template std::string read_and_written<nlohmann::ordered_json>(const std::string&, std::istream&, const char*);
template std::string read_and_written<nlohmann::json>(const std::string&, std::istream&, const char*);

}  // namespace touchstone::tests
