// Options as tables: the parser, the help, the manual and the completion are all made from them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace strata {

enum class OptionKind : uint8_t {
  kSwitch,
  kNumber,    // with K, M, G
  kNumbers,   // repeated, or separated by commas
  kOneIn,     // "1/N"; its number is N
  kDuration,  // "500ms", "2s", "1m"; seconds without a unit. low and high are nanoseconds
  kText,
  kTexts,   // repeated
  kChoice,  // one of the words in `value`, which are separated by '|'
};

struct Option {
  std::string_view name;   // "every", without dashes
  char letter = '\0';      // '\0': no short form
  std::string_view value;  // "N", as the help names it; empty for a switch
  OptionKind kind = OptionKind::kSwitch;
  std::string_view help;  // lower case, no full stop
  uint64_t low = 0;       // permitted range of a number or a duration
  uint64_t high = UINT64_MAX;
  std::string_view fallback;  // as if typed; empty: none
};

struct Operand {
  std::string_view name;  // "FILE"; or the permitted words: "write|read"
  std::string_view help;
  bool required = true;
  bool words = false;  // `name` lists the permitted words
};

// Which of the common options a tool takes. Output, verbosity and help are everybody's.
enum : uint32_t {
  kTakesFilters = 1,   // -p -t -c --cgroup -a
  kTakesCommand = 2,   // -- COMMAND
  kTakesDuration = 4,  // -d
  kTakesInterval = 8,  // -i -n
  kTakesColumns = 16,  // --columns
  kTakesBuffer = 32,   // --buffer
  kTakesTable = 64,    // --sort, --rows
  kTakesTracing = kTakesFilters | kTakesCommand | kTakesDuration,
};

// What a command line may contain: a tool's own part, without its code.
struct Syntax {
  std::string_view program;  // "strata follow", as the user called it
  std::span<const Operand> operands;
  std::span<const Option> options;
  std::span<const std::string_view> formats;
  uint32_t takes = 0;
  std::string_view interval = {};  // what -i is if it is not given; empty: no intervals
};

std::vector<Option> all_options(const Syntax &syntax);             // the tool's own, then the common ones that it takes
std::span<const Option> hidden_options();                          // --man, for packagers: in no help
std::vector<std::string_view> words_of(std::string_view choices);  // "a|b" -> {"a", "b"}

}  // namespace strata
