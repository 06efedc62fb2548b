#include "kubernetes/dump/dump.hpp"

#include "fuzz/targets/target.hpp"

/// Law: any bytes are a dump, as of `kubectl get -o yaml`, or give an error that says where.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace touchstone;
  const std::string_view text = fuzz::text_of(data, size);
  const auto dump = kubernetes::parse_dump(text, "cluster.yaml");
  if (!dump) fuzz::check_error(dump.error(), "cluster.yaml", text);
  return 0;
}
