// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The options that every tool has in common, written once.
#include "cli/option.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"

namespace strata {
namespace {

constexpr uint64_t kSecondNs = 1'000'000'000;
constexpr uint64_t kMostPids = 4'194'304;  // PID_MAX_LIMIT of the kernel
constexpr uint64_t kWeekNs = 7 * 86'400 * kSecondNs;

constexpr Option kFilterOptions[] = {
    {.name = "pid",
     .short_name = 'p',
     .value = "PID",
     .kind = OptionKind::kNumbers,
     .help = "only this process, until it ends; may be repeated. With -- COMMAND: while that runs",
     .low = 1,
     .high = kMostPids},
    {.name = "tid",
     .short_name = 't',
     .value = "TID",
     .kind = OptionKind::kNumbers,
     .help = "only this thread; may be repeated",
     .low = 1,
     .high = kMostPids},
    {.name = "comm",
     .short_name = 'c',
     .value = "NAME",
     .kind = OptionKind::kTexts,
     .help = "only tasks of this name (as ps -o comm, at most 15 bytes); may be repeated"},
    {.name = "cgroup",
     .value = "PATH",
     .kind = OptionKind::kText,
     .help = "only tasks in this cgroup (v2) or below it: its directory, or as CGROUP shows it"},
    {.name = "unit",
     .value = "NAME",
     .kind = OptionKind::kText,
     .help = "only tasks of this unit of systemd: nginx.service, or nginx; of a slice all that is in it"},
    {.name = "container",
     .value = "NAME",
     .kind = OptionKind::kText,
     .help =
         "only tasks of the container of this name or id (or its beginning): docker, podman, containerd, cri-o, LXC, "
         "nspawn"},
    {.name = "pod",
     .value = "NAME",
     .kind = OptionKind::kText,
     .help =
         "only tasks of the pod of Kubernetes of this name, NAMESPACE/NAME or UID. Of a unit, container or pod that "
         "starts again or gets new cgroups these count within a second"},
    {.name = "tree",
     .help = "with -p: its descendants, too, those that run already and those that it starts; a child whose parent "
             "has ended before the run is another's"},
    {.name = "wait", .help = "with --tree or -- COMMAND: until what that has started has ended, too"},
    {.name = "all",
     .short_name = 'a',
     .help = "with -- COMMAND: trace everything while it runs, not only what it started"},
};
constexpr Option kCommandOptions[] = {
    {.name = "user",
     .value = "NAME",
     .kind = OptionKind::kText,
     .help =
         "run COMMAND as this user of /etc/passwd, by name or number, in the user's groups and with the user's HOME, "
         "SHELL, USER and LOGNAME; without it COMMAND runs as strata does, as root"},
};
constexpr Option kDurationOptions[] = {
    {.name = "duration",
     .short_name = 'd',
     .value = "SECONDS",
     .kind = OptionKind::kDuration,
     .help = "end after so long: 10, 0.5, 500ms, 2m. A number alone is seconds wherever it is taken; a TIME has its "
             "unit",
     .low = 1'000'000,
     .high = kWeekNs},
    {.name = "start-at",
     .value = "TIME",
     .kind = OptionKind::kText,
     .help = "load, and begin at that moment, as on other hosts: 14:03:07 (local, within 12 hours), "
             "2026-11-26T14:03:07Z or @1795701787 (date +%s)"},
};
constexpr Option kIntervalOptions[] = {
    {.name = "interval",
     .short_name = 'i',
     .value = "SECONDS",
     .kind = OptionKind::kDuration,
     .help = "print every so often, and begin anew",
     .low = 10'000'000,
     .high = kWeekNs},
    {.name = "count",
     .short_name = 'n',
     .value = "N",
     .kind = OptionKind::kNumber,
     .help = "end after so many intervals",
     .low = 1,
     .high = 1'000'000'000},
};
constexpr Option kBufferOptions[] = {
    {.name = "buffer",
     .value = "BYTES",
     .kind = OptionKind::kNumber,
     .help = "of the ring buffer from the kernel, rounded up to a power of two (default 512k a processor, for follow "
             "2M, in all 1M to 16M). strata reads it at the lowest real-time priority, unless nice or chrt gave it "
             "one",
     .low = 4096,
     .high = 1 << 30},
};
constexpr Option kTypesOptions[] = {
    {.name = "btf",
     .value = "FILE",
     .kind = OptionKind::kText,
     .help = "the kernel's types, where it was built without CONFIG_DEBUG_INFO_BTF: BTF by itself or in its vmlinux "
             "(pahole -J), or what doctor --min-btf makes of them; also by STRATA_BTF in the environment"},
};
constexpr Option kTableOptions[] = {
    {.name = "sort",
     .value = "COLUMN",
     .kind = OptionKind::kText,
     .help = "order the rows by this column, by key or header: numbers greatest first, text from A to Z, none last; "
             "histograms by what tells them apart, or by count, avg, sum, p50, p90, p99, p99_9 or max"},
    {.name = "rows",
     .short_name = 'r',
     .value = "N",
     .kind = OptionKind::kNumber,
     .help = "print at most N rows an interval (default all), and (others): what found no room in the kernel's table; "
             "of histograms N, unless --sort says otherwise those of the most values",
     .low = 1,
     .high = 1'000'000},
};
constexpr Option kLimitOptions[] = {
    {.name = "limit",
     .value = "N",
     .kind = OptionKind::kNumber,
     .help = "end after N rows or samples",
     .low = 1,
     .high = 1'000'000'000},
};
constexpr Option kWhenOptions[] = {
    {.name = "when",
     .value = "EXPR",
     .kind = OptionKind::kText,
     .help = "show only what EXPR holds of, over columns by key or header: 'LATENCY > 10ms && comm ~ \"^fio\"', with "
             "== != < <= > >= ~ !~ && || ! ( ); a recording has all"},
};
constexpr Option kRecorderOptions[] = {
    {.name = "last",
     .value = "SECONDS",
     .kind = OptionKind::kDuration,
     .help = "a flight recorder: keep in memory what -o record:FILE would write of the last SECONDS (at most 64M, or "
             "--max-size), and write it at SIGUSR1 and when --when holds of something, without --when at the end",
     .low = 1'000'000,
     .high = kWeekNs},
    {.name = "max-size",
     .value = "BYTES",
     .kind = OptionKind::kNumber,
     .help = "of a recording: when FILE has half of it, it becomes FILE.1, and a new FILE begins",
     .low = 256 << 10},
};
constexpr Option kColumnOptions[] = {
    {.name = "columns",
     .value = "A,B,...",
     .kind = OptionKind::kTexts,
     .help = "the columns that are shown, by key (see FIELDS) or header, in any case; +A and -A change what a format "
             "has: text "
             "and csv some, json and sql all. Rows with a PID have, if they are named, also unit, container and pod: "
             "whose the process is, or was before it ended and its cgroup was removed (not told within a namespace of "
             "cgroups). A container's name is its runtime's; where that has forgotten it, the beginning of its id"},
};
constexpr Option kStackOptions[] = {
    {.name = "stack",
     .help = "with each event the functions that led to it, as a column `stack`: below its row in text, an array in "
             "json. Of the task that runs; whole, or marked and counted as cut short. Up to 16384 different ones"},
};
constexpr Option kStackPartOptions[] = {
    {.name = "user-stacks", .help = "--stack without the kernel's functions"},
    {.name = "kernel-stacks", .help = "--stack with the kernel's functions alone (5.11 and later)"},
};
constexpr Option kStackLinesOptions[] = {
    {.name = "lines",
     .help = "--stack with the source line of each function of a program, and those that the compiler put into it as "
             "functions of their own, marked by _[i]: by its DWARF (gcc -g), or its file of debug symbols"},
};
constexpr Option kCommonOptions[] = {
    {.name = "output",
     .short_name = 'o',
     .value = "FORMAT[:FILE]",
     .kind = OptionKind::kTexts,
     .help = "how, and where to, results are written (- is standard output); may be repeated. A new FILE is its "
             "owner's alone (mode 0600; of openmetrics, others may read it), "
             "an old one is replaced when the run begins"},
    {.name = "json", .help = "short for -o json"},
    {.name = "verbose", .short_name = 'v', .help = "say more on standard error"},
    {.name = "help", .short_name = 'h', .help = "print this help"},
    {.name = "version", .short_name = 'V', .help = "print the version"},
};
// For packagers.
constexpr Option kHiddenOptions[] = {{.name = "man"}};

// A letter that the tool itself has, as another suite's tool of its name does, is its own.
void append(std::vector<Option> &options, std::span<const Option> more) {
  for (Option one : more) {
    if (std::ranges::find(options, one.short_name, &Option::short_name) != options.end()) one.short_name = '\0';
    options.push_back(one);
  }
}

}  // namespace

std::vector<Option> all_options(const Syntax &syntax) {
  std::vector<Option> options(syntax.options.begin(), syntax.options.end());
  if (syntax.common_options & kHasFilters) append(options, kFilterOptions);
  if (syntax.common_options & kHasCommand) append(options, kCommandOptions);
  if (syntax.common_options & kHasDuration) append(options, kDurationOptions);
  if (syntax.common_options & kHasInterval) {
    append(options, kIntervalOptions);
    options[options.size() - std::size(kIntervalOptions)].default_value = syntax.interval;
  }
  if (syntax.common_options & kHasTable) append(options, kTableOptions);
  if (syntax.common_options & kHasStack) append(options, kStackOptions);
  if (syntax.common_options & kHasStackParts) append(options, kStackPartOptions);
  if (syntax.common_options & kHasStackLines) append(options, kStackLinesOptions);
  if (syntax.common_options & kHasLimit) append(options, kLimitOptions);
  if (syntax.common_options & kHasWhen) append(options, kWhenOptions);
  if (syntax.common_options & kHasRecorder) append(options, kRecorderOptions);
  if (syntax.common_options & kHasBuffer) append(options, kBufferOptions);
  if (syntax.common_options & kHasTypes) append(options, kTypesOptions);
  if (syntax.common_options & kHasColumns) append(options, kColumnOptions);
  append(options, kCommonOptions);
  return options;
}

std::span<const Option> hidden_options() { return kHiddenOptions; }

std::vector<std::string_view> words_of(std::string_view choices) {
  return choices.empty() ? std::vector<std::string_view>() : split(choices, '|');
}

std::string option_of_other_shape(std::string_view name, uint32_t common_options) {
  if (name == "--limit" && (common_options & kHasTable)) return " (a table has --rows N)";
  if ((name == "--rows" || name == "--sort") && (common_options & kHasLimit))
    return " (that is for tables; what has lines ends after --limit N of them)";
  return "";
}

}  // namespace strata
