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
  command
      .add_option("--policy", question_options.policy,
                  "Policy file of the scheduler as YAML or JSON, for v1.8 to v1.16, instead of --config "
                  "(default: the default configuration)")
      ->type_name("FILE")
      ->excludes("--config");
}

std::optional<Error> configure(const QuestionOptions& question_options, const std::string& config,
                               LoadedQuestion& asked) {
  const std::string& file =
      question_options.policy.empty() ? question_options.config : question_options.policy;
  if (file.empty() && config.empty()) return std::nullopt;
  const std::string& scheduler = asked.question.pod.scheduler_name;
  Release& release = asked.named.release;
  Result<Release> configured = file.empty()
                                   ? kubernetes::configured_by_text(config, "config", release, scheduler)
                                   : kubernetes::configured_by_file(data_path(file), release, scheduler);
  if (!configured) return configured.error();
  release = std::move(configured).value();
  return std::nullopt;
}

}  // namespace touchstone::cli
