// The options of strata execsnoop.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "cli/option.h"
#include "cli/values.h"
#include "execsnoop/execsnoop.h"

namespace strata {

inline constexpr Option kExecOptions[] = {
    {.name = "failed", .letter = 'x', .help = "failed calls too, with the error"},
    {.name = "exit", .help = "print a program when it ends: after what time, and how"},
    {.name = "uid",
     .letter = 'u',
     .value = "UID",
     .kind = OptionKind::kNumber,
     .help = "only of this user, by number",
     .high = UINT32_MAX},
    {.name = "ppid",
     .letter = 'P',
     .value = "PID",
     .kind = OptionKind::kNumber,
     .help = "only children of this process",
     .low = 1,
     .high = 4'194'304},
    {.name = "parent", .value = "NAME", .kind = OptionKind::kText, .help = "only children of processes of this name"},
    {.name = "match",
     .letter = 'm',
     .value = "REGEX",
     .kind = OptionKind::kText,
     .help = "only where file or arguments, as they are printed, match this extended regular expression"},
    {.name = "max-args",
     .value = "BYTES",
     .kind = OptionKind::kNumber,
     .help = "keep so many of the arguments, count the rest",
     .low = 1,
     .high = EXEC_ARGS,
     .fallback = "16k"},
};

// Paths cost more than all the rest: in text and csv only if --columns names them. Other formats print every column.
inline bool exec_prints(const std::string &column, const Values &values) {
  const auto is_table = [](const std::string &output) {
    return output.starts_with("text") || output.starts_with("csv");
  };
  const std::vector<std::string> &outputs = values.texts("output");
  return values.given("json") || !std::all_of(outputs.begin(), outputs.end(), is_table) ||
         ("," + values.text("columns") + ",").find("," + column + ",") != std::string::npos;
}

}  // namespace strata
