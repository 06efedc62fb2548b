#include "cli/input/config_option.hpp"

#include <string>

#include "cli/input/data.hpp"
#include "kubernetes/configuration/configuration.hpp"

namespace touchstone::cli {

void add_config_option(CLI::App& command, QuestionOptions& question_options) {
  command
      .add_option(
          "--config", question_options.config,
          "Configuration of the scheduler: a KubeSchedulerConfiguration as YAML or JSON; the profile that "
          "the pod names with schedulerName counts (default: the default configuration)")
      ->type_name("FILE");
}

std::optional<Error> configure(const QuestionOptions& question_options, const std::string& config,
                               LoadedQuestion& asked) {
  if (question_options.config.empty() && config.empty()) return std::nullopt;
  const std::string& scheduler = asked.question.pod.scheduler_name;
  Release& release = asked.named.release;
  Result<Release> configured =
      question_options.config.empty()
          ? kubernetes::configured_by_text(config, "config", release, scheduler)
          : kubernetes::configured_by_file(data_path(question_options.config), release, scheduler);
  if (!configured) return configured.error();
  release = std::move(configured).value();
  return std::nullopt;
}

}  // namespace touchstone::cli
