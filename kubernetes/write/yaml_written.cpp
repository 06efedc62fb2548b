#include "kubernetes/write/yaml_written.hpp"

#include <yaml.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "kubernetes/text/yaml.hpp"

namespace touchstone::kubernetes {

namespace {

using Json = nlohmann::ordered_json;

int append_to(void* text, unsigned char* bytes, std::size_t size) {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(bytes), size);
  return 1;
}

/// libyaml's emitter with the options of kubectl: no escapes for Unicode, lines of any length.
class Emitter {
 public:
  Emitter() {
    [[maybe_unused]] const int done = yaml_emitter_initialize(&emitter_);
    assert(done == 1);
    yaml_emitter_set_output(&emitter_, append_to, &text_);
    yaml_emitter_set_unicode(&emitter_, 1);
    yaml_emitter_set_width(&emitter_, -1);
  }
  Emitter(const Emitter&) = delete;
  Emitter& operator=(const Emitter&) = delete;
  ~Emitter() { yaml_emitter_delete(&emitter_); }

  /// Emits `event`. `initialized` is the result of the libyaml function that initialized it: 1 on success.
  void emit([[maybe_unused]] int initialized) {
    assert(initialized == 1);
    [[maybe_unused]] const int done = yaml_emitter_emit(&emitter_, &event);
    assert(done == 1);
  }

  void scalar(std::string_view text, yaml_scalar_style_t style) {
    emit(yaml_scalar_event_initialize(&event, nullptr, nullptr,
                                      reinterpret_cast<const yaml_char_t*>(text.data()),
                                      static_cast<int>(text.size()), 1, 1, style));
  }

  const std::string& text() const { return text_; }

  yaml_event_t event{};

 private:
  yaml_emitter_t emitter_{};
  std::string text_;
};

/// Line breaks in YAML 1.1, but not in YAML 1.2. libyaml indents the text after them, and for YAML 1.2 these
/// blanks are part of the text. So texts that contain them are double-quoted.
constexpr std::array<std::string_view, 2> k_breaks = {"\u2028", "\u2029"};

yaml_scalar_style_t style_of(std::string_view text) {
  const auto contains = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  if (std::any_of(k_breaks.begin(), k_breaks.end(), contains)) return YAML_DOUBLE_QUOTED_SCALAR_STYLE;
  if (contains("\n")) return YAML_LITERAL_SCALAR_STYLE;
  return is_plain_string(text) ? YAML_PLAIN_SCALAR_STYLE : YAML_DOUBLE_QUOTED_SCALAR_STYLE;
}

/// A list or an object that is being written.
struct BeingWritten {
  const Json* json;
  Json::const_iterator at;
};

/// Writes a scalar, or the beginning of a list or an object, which is then added to `open`.
void begin_value(Emitter& emitter, const Json& json, std::vector<BeingWritten>& open) {
  if (json.is_string()) {
    const std::string& text = json.get_ref<const std::string&>();
    emitter.scalar(text, style_of(text));
  } else if (json.is_array()) {
    emitter.emit(
        yaml_sequence_start_event_initialize(&emitter.event, nullptr, nullptr, 1, YAML_BLOCK_SEQUENCE_STYLE));
    open.push_back({&json, json.begin()});
  } else if (json.is_object()) {
    emitter.emit(
        yaml_mapping_start_event_initialize(&emitter.event, nullptr, nullptr, 1, YAML_BLOCK_MAPPING_STYLE));
    open.push_back({&json, json.begin()});
  } else {
    emitter.scalar(json.dump(), YAML_PLAIN_SCALAR_STYLE);
  }
}

void end_value(Emitter& emitter, const Json& json) {
  emitter.emit(json.is_array() ? yaml_sequence_end_event_initialize(&emitter.event)
                               : yaml_mapping_end_event_initialize(&emitter.event));
}

}  // namespace

std::string yaml_of(const Json& json) {
  Emitter emitter;
  emitter.emit(yaml_stream_start_event_initialize(&emitter.event, YAML_UTF8_ENCODING));
  emitter.emit(yaml_document_start_event_initialize(&emitter.event, nullptr, nullptr, nullptr, 1));
  std::vector<BeingWritten> open;
  begin_value(emitter, json, open);
  while (!open.empty()) {
    BeingWritten& last = open.back();
    if (last.at == last.json->end()) {
      end_value(emitter, *last.json);
      open.pop_back();
      continue;
    }
    if (last.json->is_object()) emitter.scalar(last.at.key(), style_of(last.at.key()));
    const Json& next = *last.at++;
    begin_value(emitter, next, open);
  }
  emitter.emit(yaml_document_end_event_initialize(&emitter.event, 1));
  emitter.emit(yaml_stream_end_event_initialize(&emitter.event));
  return emitter.text();
}

}  // namespace touchstone::kubernetes
