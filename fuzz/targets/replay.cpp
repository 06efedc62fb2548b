#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/targets/mutated.hpp"
#include "fuzz/targets/target.hpp"

/// A main function for a fuzz target that needs no fuzzing engine. It runs the target on files, in a child
/// process. When a file ends that process, it starts another process for the next file.
namespace {

namespace fs = std::filesystem;

constexpr int k_exit_ok = 0;
constexpr int k_exit_failed = 1;
constexpr int k_exit_bad_input = 2;
constexpr unsigned k_seconds_most = 300;  ///< for a file with all its mutations

constexpr const char* k_help =
    "Runs a fuzz target on files, and on all files of directories.\n"
    "  --mutations N  and on N mutations of each, the same ones every time\n"
    "  --mutation K   on mutation K of each alone, to see again what failed\n"
    "Example: build/debug/fuzz/targets/replay_yaml --mutations 100 build/debug/fuzz/targets/corpus/yaml\n"
    "Exit codes: 0 the law holds for all of them; 1 some file breaks it; 2 wrong usage, or no file there\n";

struct Options {
  std::size_t first = 0;  ///< a mutation; 0 is the unchanged file
  std::size_t last = 0;
  std::vector<std::string> paths;
};

std::optional<Options> read(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (!argument.starts_with("-")) {
      options.paths.push_back(argument);
      continue;
    }
    if ((argument != "--mutations" && argument != "--mutation") || ++i == arguments.size())
      return std::nullopt;
    const std::string& text = arguments[i];
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, options.last);
    if (error != std::errc() || stop != end) return std::nullopt;
    options.first = argument == "--mutation" ? options.last : 0;
  }
  return options;
}

/// The files of all paths, sorted. Nothing if a path is neither a file nor a directory.
std::optional<std::vector<fs::path>> files_of(const std::vector<std::string>& paths) {
  std::vector<fs::path> files;
  for (const fs::path path : paths) {
    if (fs::is_regular_file(path)) {
      files.push_back(path);
    } else if (fs::is_directory(path)) {
      for (const auto& entry : fs::directory_iterator(path))
        if (entry.is_regular_file()) files.push_back(entry.path());
    } else {
      std::fprintf(stderr, "%s: no such file or directory\n", path.c_str());
      return std::nullopt;
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

void run(const std::string& text) {
  // A copy of exactly this size: a sanitizer then reports reads past the end.
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

/// The progress of the child process that runs files; in shared memory.
struct Progress {
  std::size_t file = 0;
  std::size_t mutation = 0;
};

Progress& shared_progress() {
  void* const memory =
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::perror("mmap"), std::exit(k_exit_bad_input);
  return *new (memory) Progress;
}

/// Runs the files from progress.file on in a child process. Ensures: false if the child failed. Then
/// progress.file is the file that it ran. If that is past the last file, all files ran, and a sanitizer
/// complained at the exit.
bool runs_to_the_end(const std::vector<fs::path>& files, const Options& options, Progress& progress) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) std::perror("fork"), std::exit(k_exit_bad_input);
  if (child == 0) {
    for (; progress.file < files.size(); ++progress.file) {
      alarm(k_seconds_most);
      std::ifstream stream(files[progress.file], std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(stream), {}};
      for (std::size_t n = options.first; n <= options.last; ++n) {
        progress.mutation = n;
        run(n == 0 ? text : touchstone::fuzz::mutated(text, n));
      }
    }
    std::exit(k_exit_ok);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child) std::perror("waitpid"), std::exit(k_exit_bad_input);
  return WIFEXITED(status) && WEXITSTATUS(status) == k_exit_ok;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (std::find(arguments.begin(), arguments.end(), "--help") != arguments.end())
    return std::fputs(k_help, stdout), k_exit_ok;
  const std::optional<Options> options = read(arguments);
  if (!options) return std::fputs(k_help, stderr), k_exit_bad_input;
  const auto files = files_of(options->paths);
  if (!files) return k_exit_bad_input;
  if (files->empty()) return std::fputs("no files to run\n", stderr), k_exit_bad_input;

  Progress& progress = shared_progress();
  std::size_t failed = 0;
  for (; !runs_to_the_end(*files, *options, progress); ++progress.file) {
    ++failed;
    if (progress.file == files->size()) {
      std::fputs("FAILED: after the last file\n", stderr);
      break;
    }
    std::fprintf(stderr, "FAILED: %s --mutation %zu %s\n", argv[0], progress.mutation,
                 (*files)[progress.file].c_str());
  }
  std::printf("%zu files, %zu failed\n", files->size(), failed);
  return failed == 0 ? k_exit_ok : k_exit_failed;
}
