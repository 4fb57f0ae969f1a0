// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata iosize: how large the reads, writes and copies are that programs ask for.
#include "iosize/iosize.h"

#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include "base/error.h"
#include "base/text.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "iosize.manual.h"
#include "iosize.skel.h"
#include "kern/syscall.h"
#include "model/columns.h"
#include "run/tool.h"

namespace strata {
namespace {

std::vector<std::string> call_names();

constexpr Option kOptions[] = {
    choice_option({.name = "by",
                   .value = "kind|call|process",
                   .help = "one each for reads, writes and copies, one for each call, or that apart by process",
                   .default_value = "call",
                   .constant = "by"}),
    {.name = "calls",
     .value = "NAME,...",
     .kind = OptionKind::kText,
     .help = "only these: read, writev, ..., reads, writes, copies; also some that are not counted else",
     .candidates = call_names},
    choice_option({.name = "of",
                   .value = "returned|requested|short|failed",
                   .help = "what a call returned; or what it asked for, if it got less, or if it failed",
                   .default_value = "returned",
                   .constant = "sizes_of"}),
    choice_option({.name = "on",
                   .value = "file|pipe|socket|device|disk",
                   .help = "only calls on this; a device is a terminal, /dev/null, ..."}),
    {.name = "total", .help = "instead, all bytes of each call of a process", .constant = "total"},
};

struct IoCall {
  uint32_t number;
  std::string_view name, kind;
  bool sized = false;        // an argument is the size that it asks for
  uint8_t flags = 0;         // IOSIZE_*
  bool unless_named = true;  // counted without --calls
};

constexpr std::string_view kReads = "reads", kWrites = "writes", kCopies = "copies";
constexpr IoCall kIoCalls[] = {
    {SYS_read, "read", kReads, true},
    {SYS_pread64, "pread64", kReads, true},
    {SYS_readv, "readv", kReads},
    {SYS_preadv, "preadv", kReads},
    {SYS_preadv2, "preadv2", kReads},
    {SYS_write, "write", kWrites, true, IOSIZE_WRITING},
    {SYS_pwrite64, "pwrite64", kWrites, true, IOSIZE_WRITING},
    {SYS_writev, "writev", kWrites, false, IOSIZE_WRITING},
    {SYS_pwritev, "pwritev", kWrites, false, IOSIZE_WRITING},
    {SYS_pwritev2, "pwritev2", kWrites, false, IOSIZE_WRITING},
    {SYS_sendfile, "sendfile", kCopies, true, IOSIZE_COPYING | IOSIZE_OUT_FIRST},
    {SYS_splice, "splice", kCopies, true, IOSIZE_COPYING},
    {SYS_copy_file_range, "copy_file_range", kCopies, true, IOSIZE_COPYING},
    {SYS_recvfrom, "recvfrom", kReads, true, 0, false},
    {SYS_recvmsg, "recvmsg", kReads, false, 0, false},
    {SYS_sendto, "sendto", kWrites, true, IOSIZE_WRITING, false},
    {SYS_sendmsg, "sendmsg", kWrites, false, IOSIZE_WRITING, false},
};

std::vector<std::string> call_names() {
  std::vector<std::string> names = {std::string(kReads), std::string(kWrites), std::string(kCopies)};
  for (const IoCall &call : kIoCalls) names.emplace_back(call.name);
  return names;
}

// By number, of "read,sendto", "reads", "writes" or "copies"; with `sized` only those that tell what they ask for.
// Throws a usage Error.
std::array<uint8_t, IOSIZE_CALLS> flags_of_calls(std::string_view list, bool sized) {
  std::array<uint8_t, IOSIZE_CALLS> flags = {};
  for (const std::string_view word : split_commas(list.empty() ? "reads,writes,copies" : list)) {
    std::string known;
    bool found = false;
    for (const IoCall &call : kIoCalls) {
      known += std::string(call.name) + ", ";
      if (word == call.name && sized && !call.sized)
        throw usage_error("--of: " + std::string(word) + " does not tell in its arguments what it asks for");
      const bool kind = call.unless_named && (call.sized || !sized) && word == call.kind;
      if (!kind && word != call.name) continue;
      flags[call.number] |= IOSIZE_WANTED | call.flags;
      for (const size_t number : syscall32_numbers(call.name)) flags[number] |= IOSIZE_32BIT;
      found = true;
    }
    if (!found)
      throw usage_error("--calls takes some of " + known + "reads, writes, copies, not '" + printable(word) + "'");
  }
  return flags;
}

std::string_view operation_of(uint32_t number) {
  const auto *call = std::ranges::find(kIoCalls, number, &IoCall::number);
  if (call == std::end(kIoCalls)) return "";
  return call->kind == kReads ? "read" : call->kind == kWrites ? "write" : "copy";
}

bool is_kind(uint32_t call) { return call >= IOSIZE_READS && call <= IOSIZE_COPIES; }

uint32_t file_type(std::string_view kind) {  // S_IF*; 0 of any
  return kind == "file"     ? S_IFREG
         : kind == "pipe"   ? S_IFIFO
         : kind == "socket" ? S_IFSOCK
         : kind == "device" ? S_IFCHR
         : kind == "disk"   ? S_IFBLK
                            : 0;
}

constexpr Field kFields[] = {
    SLOT_STORED(iosize_entry),
    {STORED(iosize_entry, key.slot)},
    {STORED(iosize_entry, key.zero)},
    {COMPUTED(slot_values), .key = "size_bytes", .title = "SIZE", .unit = Unit::kBytes, .help = "bytes"},
    {COMPUTED([](const iosize_entry &e, RowWriter &out) {
       constexpr std::string_view kKinds[] = {"read", "write", "copy"};
       is_kind(e.key.call) ? out.text(kKinds[e.key.call - IOSIZE_READS]) : out.none();
     }),
     .key = "operation", .title = "OPERATION", .help = "read, write or copy, with --by kind", .with = "by=kind"},
    {STORED(iosize_entry, key.tgid), .optional = true, .key = "tgid", .title = "PID",
     .help = "the process, with --by process", .with = "by=process"},
    {STORED(iosize_entry, key.comm), SHOWN_IF([](const iosize_entry &e) { return e.key.tgid != 0; }), .key = "comm",
     .title = "COMM", .help = "its name", .with = "by=process"},
    {STORED(iosize_entry, key.call), COMPUTED([](const iosize_entry &e, RowWriter &out) {
       is_kind(e.key.call) ? out.none() : out.text(syscall_name(e.key.call));
     }),
     .key = "call", .title = "CALL", .help = "the system call", .with = "by=call|by=process"},
};
constexpr RecordType kSlot = record_type<iosize_entry>("slot", kFields);

constexpr Field kTotalFields[] = {
    INTERVAL_STORED(iosize_total_entry),
    {STORED(iosize_total_entry, value.bytes), .key = "size_bytes", .title = "BYTES", .unit = Unit::kBytes, .width = 8,
     .help = "all of them"},
    {STORED(iosize_total_entry, value.calls), .key = "count", .title = "COUNT", .width = 9, .help = "how many calls"},
    {STORED(iosize_total_entry, key.slot)},
    {STORED(iosize_total_entry, key.zero)},
    pid_column({STORED(iosize_total_entry, key.tgid), .help = "the process"}),
    comm_column({STORED(iosize_total_entry, key.comm), .help = "name of the thread that made the call"}),
    {STORED(iosize_total_entry, key.call), COMPUTED(syscall_name), .key = "call", .title = "CALL", .width = -15,
     .help = "the system call"},
    {COMPUTED([](const iosize_total_entry &e, RowWriter &out) { out.text(operation_of(e.key.call)); }),
     .key = "operation", .title = "OPERATION", .width = -9, .help = "read, write or copy"},
};
constexpr RecordType kTotal = record_type<iosize_total_entry>("total", kTotalFields);
constexpr std::string_view kLosses[] = {"calls of 32-bit programs"};
constexpr View kViews[] = {
    {.name = "histograms", .shape = histogram_spec<iosize_entry>(kSlot, "", "calls", kLosses)},
    {.option = "by=process",
     .name = "histograms",
     .shape = histogram_spec<iosize_entry>(kSlot, "", "processes", kLosses)},
    {.option = "total",
     .name = "the table of --total",
     .without = "by",
     .shape = table_spec<iosize_total_entry>(kTotal, "totals", "size_bytes", kLosses)},
};

constexpr Hook kHooks[] = {{.name = "sys_exit"}};

int trace(const Values &values, Session &session, Object &object) {
  const auto call_flags = flags_of_calls(values.text("calls"), values.text("of") != "returned");
  object.set_constant("call_flags", call_flags);
  object.set_constant("file_type", file_type(values.text("on")));
  return run_view(session, object);
}

}  // namespace

extern const Tool tool_iosize = {
    .name = "iosize",
    .subsystem = Subsystem::kFiles,
    .summary = "show how large reads and writes are, by call and by process",
    .manual = kManual,
    .options = kOptions,
    .views = kViews,
    .programs = {.elf = iosize_bpf::elf_bytes, .hooks = kHooks},
    .trace = trace,
};

}  // namespace strata
