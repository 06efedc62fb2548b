#include "kubernetes/dump/dump.hpp"

#include <utility>

#include "kubernetes/dump/dump_reader.hpp"
#include "kubernetes/dump/sources.hpp"
#include "kubernetes/text/bytes.hpp"

namespace touchstone::kubernetes {

Result<Dump> read_dump(const std::vector<std::string>& paths, const Progress& progress) {
  const Result<std::vector<std::string>> files = files_of(paths);
  if (!files) return files.error();
  DumpReader reader(progress);
  for (const std::string& file : files.value()) {
    Result<std::string> bytes = read_bytes(file, progress);
    if (!bytes) return bytes.error();
    const auto error = reader.add(std::move(bytes).value(), name_of_file(file));
    if (error) return *error;
  }
  if (paths.empty()) return reader.finish("");
  const std::string others = paths.size() > 1 ? " and " + std::to_string(paths.size() - 1) + " more" : "";
  return reader.finish(name_of_file(paths.front()) + others);
}

Result<Dump> parse_dump(std::string_view bytes, const std::string& name) {
  Result<std::string> plain = plain_bytes(bytes, name);
  if (!plain) return plain.error();
  const Progress silent;
  DumpReader reader(silent);
  const auto error = reader.add(std::move(plain).value(), name);
  if (error) return *error;
  return reader.finish(name);
}

}  // namespace touchstone::kubernetes
