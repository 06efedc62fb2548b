#include <iostream>

#include "cli/commands.hpp"

int main(int argc, char** argv) {
  using namespace touchstone::cli;
  CLI::App app{"Touchstone: the reference by which Kubernetes pod priority and preemption is judged."};
  app.name("touchstone");
  app.set_version_flag("--version", std::string("touchstone ") + TOUCHSTONE_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 answered; 1 a check failed; 2 wrong usage or input; 3 the question needs what is not "
      "modelled.\n"
      "Example: touchstone decide -f cluster.json --pod default/web-0 --release v1.34");
  int exit_code = k_exit_ok;
  add_decide(app, exit_code);
  add_releases(app, exit_code);
  add_rules(app, exit_code);
  add_subject(app, exit_code);
  add_vectors(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    std::cerr << "touchstone: " << error.what() << " (touchstone --help shows how) [usage]\n";
    return k_exit_bad_input;
  }
  return exit_code;
}
