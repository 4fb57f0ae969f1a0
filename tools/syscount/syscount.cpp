// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata syscount: which system calls are made, how often, how long they take, and which fail.
#include "syscount/syscount.h"

#include <fnmatch.h>

#include <array>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "kern/errno.h"
#include "kern/syscall.h"
#include "model/columns.h"
#include "run/tool.h"
#include "syscount.manual.h"
#include "syscount.skel.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {
    choice_option({.name = "by",
                   .value = "call|process|both|error|thread",
                   .help = "a row for each call, process, call of a process, call and error, or thread",
                   .default_value = "call",
                   .constant = "by"}),
    {.name = "calls",
     .value = "NAME,...",
     .kind = OptionKind::kText,
     .help = "only these system calls: openat,read; also patterns: *stat*",
     .constant_if_given = "only_wanted",
     .candidates = [] { return candidates_of(syscall_names()); }},
    {.name = "failed", .short_name = 'x', .help = "only calls that failed", .constant = "only_failed"},
    {.name = "error",
     .value = "NAME",
     .kind = OptionKind::kText,
     .help = "only calls that failed with it: ENOENT, or 2",
     .candidates = [] { return candidates_of(errno_names()); }},
    {.name = "time",
     .short_name = 'L',
     .help = "how long they took, too; orders the rows by it",
     .constant = "with_time"},
};

std::string call_name(uint32_t call) {
  if (call == SYSCOUNT_RESTORED) return "rt_sigreturn";
  if (call == SYSCOUNT_OTHER) return "(no such call)";
  return call < SYSCOUNT_32BIT ? syscall_name(call) : "32-bit " + syscall32_name(call - SYSCOUNT_32BIT);
}

bool is_timed(const syscount_entry &e) { return e.value.time_ns + e.value.untimed != 0; }
bool has_time(const syscount_entry &e) { return is_timed(e) && e.value.calls > e.value.untimed; }

constexpr Field kFields[] = {
    INTERVAL_STORED(syscount_entry),
    comm_column({STORED(syscount_entry, key.comm), SHOWN_IF([](const syscount_entry &e) { return e.key.tgid != 0; }),
                 .help = "name of the process, or with --by thread of the thread",
                 .with = "by=process|by=both|by=thread"}),
    pid_column({STORED(syscount_entry, key.tgid), .optional = true,
                .help = "the process, with --by process, both or thread", .with = "by=process|by=both|by=thread"}),
    tid_column({STORED(syscount_entry, key.tid), .optional = true, .help = "the thread, with --by thread",
                .with = "by=thread"}),
    {STORED(syscount_entry, key.call), COMPUTED([](const syscount_entry &e, RowWriter &out) {
       e.key.call == SYSCOUNT_ANY ? out.none() : out.text(call_name(e.key.call));
     }),
     .key = "call", .title = "CALL", .width = -19, .help = "the system call; 32-bit if a 32-bit program made it",
     .with = "by=call|by=both|by=error"},
    {STORED(syscount_entry, key.error), .optional = true, COMPUTED(errno_name), .key = "error", .title = "ERR",
     .width = -15, .help = "how it failed, with --by error; empty: it did not", .with = "by=error"},
    {STORED(syscount_entry, value.calls), .key = "calls", .title = "COUNT", .width = 10, .help = "how many ended"},
    {STORED(syscount_entry, value.errors), .key = "errors", .title = "ERRORS", .width = 9, .help = "of these failed",
     .with = "by=call|by=process|by=both|by=thread"},
    {STORED(syscount_entry, value.time_ns), SHOWN_IF(has_time), .key = "total_ns", .title = "TIME", .unit = Unit::kNs,
     .width = 7, .help = "all of them, with --time", .with = "time"},
    {COMPUTED([](const syscount_entry &e, RowWriter &out) {
       has_time(e) ? out.number(e.value.time_ns / (e.value.calls - e.value.untimed)) : out.none();
     }),
     .key = "avg_ns", .title = "AVERAGE", .unit = Unit::kNs, .width = 7, .help = "one of them, with --time",
     .with = "time"},
    {STORED(syscount_entry, value.untimed), SHOWN_IF(is_timed), .key = "untimed", .title = "UNTIMED", .width = 7,
     .help = "of these began before strata did: not in the times", .hidden = true},
};
constexpr RecordType kCalls = record_type<syscount_entry>("calls", kFields);

constexpr TableSpec kParts = with_sort(table_spec<syscount_entry>(kCalls, "parts", "calls"), "time", "total_ns");
constexpr TableSpec kCallsAlone =  // the map whose key is the call
    in_map(kParts, "calls", sizeof(syscount_key::call), offsetof(syscount_key, call));
constexpr TableSpec with_cache(TableSpec spec) {
  spec.entries.cache = "cached";
  return spec;
}
constexpr View kViews[] = {
    {.name = "the table", .shape = kCallsAlone},
    {.option = "by=process|by=both|by=error|by=thread", .name = "the table", .shape = with_cache(kParts)},
};

// Of "openat,*stat*": which are wanted, of 64-bit and of 32-bit programs; throws a usage Error.
std::array<uint8_t, SYSCOUNT_CALLS> wanted_calls(std::string_view list) {
  std::array<uint8_t, SYSCOUNT_CALLS> wanted = {};
  const std::vector<std::string_view> names = syscall_names();
  for (const std::string_view word : split_commas(list)) {
    bool any = false;
    for (const std::string_view name : names) {
      if (fnmatch(std::string(word).c_str(), std::string(name).c_str(), 0) != 0) continue;
      any = true;
      const int64_t number = syscall_number(name), number32 = syscall32_number(name);
      if (number >= 0) wanted[static_cast<size_t>(number)] = 1;
      if (number32 >= 0) wanted[static_cast<size_t>(number32 + SYSCOUNT_32BIT)] = 1;
      if (name == "rt_sigreturn") wanted[SYSCOUNT_RESTORED] = 1;
    }
    if (!any) throw usage_error("--calls: no system call is called '" + printable(word) + "'" + meant(word, names));
  }
  return wanted;
}

uint32_t wanted_error(std::string_view text) {
  for (uint32_t number = 1; number < 4096; number++)
    if (text == std::to_string(number)) return number;
  if (const int named = errno_number(text)) return static_cast<uint32_t>(named);
  throw usage_error("--error takes the name or number of an error, such as ENOENT or 2, not '" + printable(text) + "'" +
                    meant(text, errno_names()));
}

constexpr Hook kHooks[] = {{.name = "sys_exit"}, {.name = "sys_enter"}};

int trace(const Values &values, Session &session, Object &object) {
  object.enable("sys_enter", values.given("time"));
  object.set_constant("only_some", any_given(values, {"failed", "error", "calls"}));
  if (values.given("error")) object.set_constant("only_error", wanted_error(values.text("error")));
  if (values.given("calls")) object.set_constant("wanted", wanted_calls(values.text("calls")));
  return run_view(session, object);
}

}  // namespace

extern const Tool tool_syscount = {
    .name = "syscount",
    .subsystem = Subsystem::kProcesses,
    .summary = "count system calls: how many, how long, and which failed",
    .manual = kManual,
    .options = kOptions,
    .views = kViews,
    .programs = {.elf = syscount_bpf::elf_bytes, .hooks = kHooks},
    .trace = trace,
};

}  // namespace strata
