#include <iostream>
#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/input/data.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/options.hpp"
#include "cli/terminal/output.hpp"
#include "kubernetes/objects/extenders.hpp"
#include "kubernetes/text/bytes.hpp"
#include "kubernetes/text/documents.hpp"
#include "oracle/extenders/table_server.hpp"

namespace touchstone::cli {

namespace {

struct ExtenderOptions {
  std::string table;
  std::string host = "127.0.0.1";
  int port = 8888;
};

/// The verb of an extender that has no table to answer it. Empty: none.
std::string verb_without_table(const Extender& extender) {
  if (!extender.filter_verb.empty() && !extender.filter) return "filter";
  if (!extender.prioritize_verb.empty() && !extender.prioritize) return "prioritize";
  if (!extender.preempt_verb.empty() && !extender.preempt) return "preempt";
  return "";
}

/// The extender in a file: an object with a list `extenders` of one extender, as in a question.
Result<Extender> read_extender_file(const std::string& path) {
  Result<std::string> bytes = kubernetes::read_bytes(data_path(path), {});
  if (!bytes) return bytes.error();
  const std::string name = kubernetes::name_of_file(path);
  const Result<std::vector<kubernetes::Document>> documents =
      kubernetes::documents_of(std::move(bytes).value(), name);
  if (!documents) return documents.error();
  if (documents.value().size() != 1) return Error{"wrong-table", name, "expected one document"};
  try {
    const kubernetes::Value root = documents.value().front().root();
    const std::vector<Extender> extenders = kubernetes::read_extenders_of_question(root);
    if (extenders.size() != 1)
      return Error{"wrong-table", name,
                   "expected one extender in the list extenders, found " + std::to_string(extenders.size())};
    if (const std::string verb = verb_without_table(extenders.front()); !verb.empty())
      return Error{"wrong-table", name + ": extenders[0]." + verb,
                   "expected a table, because the extender has a " + verb + "Verb"};
    return extenders.front();
  } catch (const kubernetes::InvalidInput& invalid) {
    return invalid.error;
  }
}

int run(const ExtenderOptions& options) {
  const Result<Extender> extender = read_extender_file(options.table);
  if (!extender) return print_error(extender.error()), k_exit_bad_input;
  oracle::TableServer server(extender.value());
  const int port = server.bind(options.host, options.port);
  const std::string place = options.host + ":" + std::to_string(options.port);
  if (port < 0) return print_error({"cannot-listen", place, "the address is not free"}), k_exit_bad_input;
  std::cout << "listening on http://" << options.host << ":" << port << "\n" << std::flush;
  server.serve();
  return k_exit_ok;
}

}  // namespace

void add_extender(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("extender", "Serve the answers of an extender over HTTP");
  const auto options = std::make_shared<ExtenderOptions>();
  command
      ->add_option("--table", options->table,
                   "The extender and its tables, as YAML or JSON: an object with a list extenders of one "
                   "extender, as in a question of spec/protocol.md")
      ->type_name("FILE")
      ->required();
  command->add_option("--host", options->host, "The address to listen on")
      ->type_name("ADDRESS")
      ->capture_default_str();
  command->add_option("--port", options->port, "The port to listen on; 0 means any free port")
      ->type_name("N")
      ->capture_default_str()
      ->check(whole_number(0, 65535));
  describe(*command, context.terminal,
           {.description =
                "Answers the calls of a scheduler from tables, so that a scheduler can be tried with an "
                "extender that does not exist yet. A node without an entry is not in the answer. Runs until "
                "it is interrupted.",
            .examples = {{"Serve an extender; point a scheduler at http://127.0.0.1:8888",
                          "touchstone extender --table examples/extenders/table.yaml --port 8888"}},
            .exit_codes = {k_exit_ok, k_exit_bad_input},
            .see_also = {"touchstone schedule", "docs/extenders.md"}});
  command->callback([options, &context] { context.exit_code = run(*options); });
}

}  // namespace touchstone::cli
