// What bcc's tools of the probe language share: options, and how the program that they become is run.
#pragma once

#include "cli/option.h"
#include "expr/bcc_functions.h"
#include "subsys/script_run.h"

namespace strata {

class Object;
class Session;
class Values;

inline constexpr Option kExplainOption = {.name = "explain", .help = "print the program that it becomes, and end"};
inline constexpr Option kTimestampOption = {
    .name = "timestamp", .short_name = 'T', .help = "the time in a line before what is printed"};
inline constexpr Option kRegexpOption = {
    .name = "regexp", .short_name = 'r', .help = "PATTERN is a regular expression"};

inline constexpr Option kIncludeOption = {.name = "include",
                                          .short_name = 'I',
                                          .value = "HEADER",
                                          .kind = OptionKind::kTexts,
                                          .help = "taken: types are the kernel's own"};
constexpr Option string_size_option(Option option) {
  option.name = "string-size";
  option.value = "BYTES";
  option.kind = OptionKind::kNumber;
  option.help = "of text, at most";
  option.low = 1;
  option.high = 1023;
  return option;
}

// -i, -n and -T.
expr::BccOutput bcc_output(const Values &values);
// --explain, or run_script().
int run_bcc_program(const ScriptRun &run, Session &session, Object &object);

}  // namespace strata
