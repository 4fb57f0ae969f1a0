// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Options as tables: the parser, the help, the manual and the shells' completion are all made from them.
#pragma once

#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

// One that is given twice with different values is refused, unless its values add up.
enum class OptionKind : uint8_t {
  kSwitch,
  kNumber,    // with K, M, G
  kNumbers,   // repeated, or separated by commas
  kOneIn,     // "1/N", or N alone; its number is N
  kDuration,  // SECONDS: "500ms", "2s", "1m"; seconds without a unit. low and high are nanoseconds
  // TIME, at least so long: its unit must be there (or 0), for a number alone is milliseconds or microseconds to those
  // who know other tools, and seconds in kDuration.
  kTime,
  kText,     // of several lists ("A,B,...") one list is made
  kTexts,    // repeated
  kChoice,   // one of the words in `value`, which are separated by '|'
  kCommand,  // what is to run, a line of words as a shell reads them: as if they stood behind `--`
};

struct Option {
  std::string_view name;   // "every", without dashes
  char short_name = '\0';  // '\0': no short form
  std::string_view value;  // "N", as the help names it; empty for a switch
  OptionKind kind = OptionKind::kSwitch;
  std::string_view help;  // lower case, no full stop
  uint64_t low = 0;       // permitted range of a number or a duration
  uint64_t high = UINT64_MAX;
  std::string_view default_value = {};  // as if typed; empty: none
  // Constants of the BPF side (const volatile) that it sets: to its number, of a choice to the place of the word (it
  // has a default), of a switch to true; and to whether it was given.
  std::string_view constant = {}, constant_if_given = {};
  // Of a number: what else it is called, and whose name that is, "a user of /etc/passwd".
  bool (*named)(std::string_view name, uint64_t &number) = nullptr;
  std::string_view names = {};
  // Of a text that may be left out ("[PLACE]"): whether the next word is it, and not an operand. "" if it is left out.
  bool (*is_value)(std::string_view word) = nullptr;
  // Of a text: words that shells propose for it, which need not be all that it may be.
  std::vector<std::string> (*candidates)() = nullptr;
};

// Those of a table or a list, for Option::candidates. A value and no template parameter: see scripts/check-symbols.
template <typename Words>
std::vector<std::string> candidates_of(const Words &words) {
  return {std::begin(words), std::end(words)};
}

inline constexpr uint64_t kHourNs = 3'600'000'000'000;

// Options that several tools have: what an entry does not say of one is as usual.
constexpr Option pid_option(Option option) {
  option.value = "PID";
  option.kind = OptionKind::kNumber;
  option.low = 1;
  option.high = 4'194'304;  // the kernel's PID_MAX_LIMIT
  return option;
}

// One of the words in its value.
constexpr Option choice_option(Option option) {
  option.kind = OptionKind::kChoice;
  return option;
}

// The least duration of what is shown.
constexpr Option min_option(Option option) {
  option.short_name = 'm';
  option.value = "TIME";
  option.kind = OptionKind::kTime;
  option.high = kHourNs;
  option.constant = "min_ns";
  return option;
}

constexpr Option frequency_option(Option option) {
  option.short_name = 'F';
  option.value = "HZ";
  option.kind = OptionKind::kNumber;
  option.help = "samples of each CPU in a second";
  option.low = 1;
  option.high = 100'000;
  return option;
}

// Its value is for cpus_named() of kern/cpus.h.
constexpr Option cpu_option(char letter = 0) {
  return {.name = "cpu",
          .short_name = letter,
          .value = "LIST",
          .kind = OptionKind::kText,
          .help = "only these CPUs: 0-3,7"};
}

struct Operand {
  std::string_view name;  // "FILE"; or the permitted words: "write|read"
  std::string_view help;
  bool required = true;
  bool words = false;            // `name` lists the permitted words
  std::string_view option = {};  // a number: the value of this option, as in other suites
  std::string_view unit = {};    // of that number, where it is not the option's own: "ms"
  bool several = false;          // the last one: it may be repeated
  bool file = false;             // the name of one
};

constexpr Operand option_operand(std::string_view name, std::string_view option, std::string_view help,
                                 std::string_view unit = {}) {
  return {.name = name, .help = help, .required = false, .option = option, .unit = unit};
}

// Of one that is for tables where there are lines, or the other way: " (a table has --rows N)"; of all others empty.
std::string option_of_other_shape(std::string_view name, uint32_t common_options);

inline constexpr Operand kDurationOperands[] = {option_operand("DURATION", "duration", "as -d, in seconds")};

// Of the tools with -i, unless they have others.
inline constexpr Operand kIntervalOperands[] = {option_operand("INTERVAL", "interval", "as -i"),
                                                option_operand("COUNT", "count", "as -n")};

// Which of the common options a tool takes. Output, verbosity and help are everybody's.
enum : uint32_t {
  kHasFilters = 1,        // -p --tree --wait -t -c --cgroup --unit --container --pod -a
  kHasCommand = 2,        // -- COMMAND
  kHasDuration = 4,       // -d
  kHasInterval = 8,       // -i -n
  kHasColumns = 16,       // --columns
  kHasBuffer = 32,        // --buffer
  kHasTable = 64,         // --sort, --rows
  kHasLimit = 128,        // --limit
  kHasStack = 256,        // --stack: of the tools with Tool::stacks
  kHasStackParts = 512,   // --user-stacks --kernel-stacks
  kHasParameters = 1024,  // -- --name=value: of the program that the tool runs
  kHasWhen = 2048,        // --when: of the tools with rows or samples
  kHasRecorder = 4096,    // --last --max-size
  kHasStackLines = 8192,  // --lines
  kHasTypes = 16384,      // --btf
  kTracing = kHasFilters | kHasCommand | kHasDuration | kHasTypes,
};

// What a command line may contain: a tool's own part, without its code.
struct Syntax {
  std::string_view program;  // "strata follow", as the user called it
  std::span<const Operand> operands;
  std::span<const Option> options;
  uint32_t common_options = 0;
  std::string_view interval = {};  // what -i is if it is not given; empty: no intervals
  std::string_view tool = {};      // whose peers' spellings are known (cli/peers.h)
  std::string_view implied = {};   // the option that the tool's name stands for: "--slower=10ms" of runqslower
};

std::vector<Option> all_options(const Syntax &syntax);             // the tool's own, then the common ones that it takes
std::span<const Option> hidden_options();                          // --man, for packagers: in no help
std::vector<std::string_view> words_of(std::string_view choices);  // "a|b" -> {"a", "b"}

}  // namespace strata
