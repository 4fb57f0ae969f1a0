// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata locks: which locks threads wait for, how long, and who made them wait.
#include "locks/locks.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/fd.h"
#include "base/joined.h"
#include "base/text.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "locks.manual.h"
#include "locks.skel.h"
#include "model/columns.h"
#include "run/intervals.h"
#include "run/privileges.h"
#include "run/resolver.h"
#include "run/session.h"
#include "run/table.h"
#include "run/tool.h"
#include "subsys/stack_columns.h"
#include "subsys/stack_pairs.h"
#include "subsys/stacks.h"

namespace strata {
namespace {

// In the orders of the enums of locks.h.
constexpr std::string_view kTypes[LOCK_TYPES] = {"mutex",     "rwlock",    "pi",       "wait",     "timed",
                                                 "waitv",     "kmutex",    "krwsem-r", "krwsem-w", "kspin",
                                                 "krwlock-r", "krwlock-w", "krtmutex", "kpercpu",  "ksem"};
constexpr std::string_view kResults[WAIT_RESULTS] = {"woken", "timeout", "signal", "waiting"};

constexpr Option kOwnOptions[] = {
    choice_option({.name = "by",
                   .value = "stack|lock|thread",
                   .help = "a row for each of these",
                   .default_value = "stack",
                   .constant = "by"}),
    {.name = "type",
     .value = "TYPE,...",
     .kind = OptionKind::kText,
     .help = "only of these types: mutex,pi,kmutex,...",
     .candidates = [] { return candidates_of(kTypes); }},
    min_option({.name = "min-latency", .help = "only waits that lasted so long (10ms, 1s)"}),
    {.name = "histogram", .short_name = 'H', .help = "instead, how many waits lasted how long", .constant = "in_slots"},
};
constexpr auto kOptions = joined(kOwnOptions, kStackOptions);

std::string_view type_name(uint32_t type) { return type < LOCK_TYPES ? kTypes[type] : "?"; }
std::string_view result_name(uint32_t result) { return result < WAIT_RESULTS ? kResults[result] : "?"; }

MaybeText source_name(uint32_t source) {
  static constexpr std::string_view kSources[] = {"", "waker", "word", "glibc"};
  if (source == OWNER_UNKNOWN) return {};
  return std::string(source < std::size(kSources) ? kSources[source] : "?");
}

// The address of a futex, the name of a static lock of the kernel, or else its number.
std::string lock_name(const lock_entry &e, Resolver &names) {
  if (e.key.kernel_lock == 0) {
    char address[24];
    snprintf(address, sizeof(address), "0x%" PRIx64, static_cast<uint64_t>(e.key.futex));
    return address;
  }
  const std::string &name = names.symbol(e.key.kernel_lock);
  return name.starts_with("place ") ? "lock " + std::to_string(e.key.kernel_lock) : name.substr(0, name.find('+'));
}

// A name, or the thread's number if that is all that is known.
MaybeText owner(const lock_entry &e) {
  if (e.key.owner_comm[0] != '\0') return std::string(cstr(e.key.owner_comm));
  if (e.key.owner_tid != 0) return "thread " + std::to_string(e.key.owner_tid);
  return {};
}

std::string frames_of_wait(const lock_entry &e, Resolver &names) {
  return stack_pair(frames_of(e.key.owner_kernel_stack, e.key.owner_user_stack, names),
                    frames_of(e.key.kernel_stack, e.key.user_stack, names));
}

std::optional<uint64_t> average_hold(const lock_entry &e) {
  if (e.value.holds == 0) return {};
  return e.value.held_ns / e.value.holds;
}

uint64_t average(const lock_entry &e) { return e.value.count == 0 ? 0 : e.value.wait_ns / e.value.count; }

constexpr Field kTotal = {
    STORED(lock_entry, value.wait_ns),           .key = "total_ns", .title = "WAITED", .unit = Unit::kNs, .width = 7,
    .help = "in calls that waited for the lock",
};
constexpr Field kCount = {
    STORED(lock_entry, value.count), .key = "count", .title = "COUNT", .width = 6, .help = "waits",
};
constexpr Field kHeld = {
    COMPUTED(average_hold),
    .key = "avg_held_ns",
    .title = "HELD",
    .unit = Unit::kNs,
    .width = 7,
    .help = "how long owners had it who had waited for it, too; else not known",
};
constexpr Field kPid = pid_column({STORED(lock_entry, key.tgid), .optional = true, .help = "process that waited"});
constexpr Field kType = {
    STORED(lock_entry, key.type),        COMPUTED(type_name), .key = "lock_type", .title = "TYPE", .width = -9,
    .help = "of lock, as --type has it",
};
constexpr Field kLock = {
    COMPUTED(lock_name),
    .key = "lock",
    .title = "LOCK",
    .width = -14,
    .help = "a futex's address, the name of a lock of the kernel if it has one",
};
constexpr Field kResult = {
    STORED(lock_entry, key.result),
    COMPUTED(result_name),
    .key = "result",
    .title = "RESULT",
    .width = -7,
    .help = "woken, timeout or signal: what ended the waits; or waiting, still",
};
constexpr Field kOwnerPid = {
    STORED(lock_entry, key.owner_tgid), .optional = true, .key = "owner_tgid", .title = "OWNERPID", .width = 8,
    .help = "process of the owner",     .hidden = true,
};
constexpr Field kOwnerSource = {
    STORED(lock_entry, key.owner_source),
    COMPUTED(source_name),
    .key = "owner_source",
    .title = "KNOWN",
    .width = -5,
    .help = "how the owner is known: waker, word (of the lock), glibc",
    .hidden = true,
};

constexpr Field kWaitFields[] = {
    INTERVAL_STORED(lock_entry),
    kTotal,
    hidden(share_column<lock_entry>()),
    kCount,
    {STORED(lock_entry, value.held_ns)},
    {STORED(lock_entry, value.holds)},
    hidden(kHeld),
    kPid,
    kType,
    kLock,
    kResult,
    comm_column({STORED(lock_entry, key.comm), .help = "name of the thread that waited"}),
    kOwnerPid,
    {STORED(lock_entry, key.owner_tid)},
    {STORED(lock_entry, key.owner_comm)},
    {COMPUTED(owner), .key = "owner", .title = "OWNER", .width = -10, .help = "name of the thread that let it go on"},
    kOwnerSource,
    {STORED(lock_entry, key.tid)},
    {STORED(lock_entry, key.zero)},
    {STORED(lock_entry, key.futex)},
    {STORED(lock_entry, key.kernel_lock), .pointer = true},
    {STORED(lock_entry, key.user_stack), .pointer = true},
    {STORED(lock_entry, key.kernel_stack), .pointer = true},
    {STORED(lock_entry, key.owner_user_stack), .pointer = true},
    {STORED(lock_entry, key.owner_kernel_stack), .pointer = true},
    {COMPUTED(frames_of_wait), .key = "stack", .title = "STACK", .unit = Unit::kStack,
     .help = "functions, innermost first; the owner's turned round above --"},
};
constexpr RecordType kWait = record_type<lock_entry>("wait", kWaitFields);

constexpr Field kRowFields[] = {
    INTERVAL_STORED(lock_entry),
    kTotal,
    kCount,
    {COMPUTED(average), .key = "avg_ns", .title = "AVERAGE", .unit = Unit::kNs, .width = 7, .help = "of the waits"},
    {STORED(lock_entry, value.held_ns)},
    {STORED(lock_entry, value.holds)},
    kHeld,
    kPid,
    kType,
    kLock,
    kResult,
    tid_column({STORED(lock_entry, key.tid), .optional = true, .help = "thread that waited, with --by thread",
                .with = "by=thread"}),
    comm_column({STORED(lock_entry, key.comm), .optional = true, .help = "its name", .with = "by=thread"}),
    kOwnerPid,
    {STORED(lock_entry, key.owner_tid), .optional = true, .key = "owner_tid", .title = "OWNERTID", .width = 8,
     .help = "thread that let it go on, with --by thread", .with = "by=thread"},
    {STORED(lock_entry, key.owner_comm), .optional = true, .key = "owner_comm", .title = "OWNER", .width = -10,
     .help = "its name", .with = "by=thread"},
    kOwnerSource,
    {STORED(lock_entry, key.zero)},
    {STORED(lock_entry, key.futex)},
    {STORED(lock_entry, key.kernel_lock), .pointer = true},
    {STORED(lock_entry, key.user_stack), .pointer = true},
    {STORED(lock_entry, key.kernel_stack), .pointer = true},
    {STORED(lock_entry, key.owner_user_stack), .pointer = true},
    {STORED(lock_entry, key.owner_kernel_stack), .pointer = true},
};
constexpr RecordType kRow = record_type<lock_entry>("lock", kRowFields);

constexpr Field kSlotFields[] = {
    SLOT_STORED(lock_slot_entry),
    {STORED(lock_slot_entry, key.slot)},
    {STORED(lock_slot_entry, zero)},
    {COMPUTED(slot_values), .key = "dur_ns", .title = "WAIT", .unit = Unit::kNs, .help = "how long a wait lasted"},
};
constexpr RecordType kSlot = record_type<lock_slot_entry>("slot", kSlotFields);

constexpr TableSpec kStacks = weighed(table_spec<lock_entry>(kWait, "waits", "total_ns", kStackLosses), "count");
constexpr TableSpec kRows = table_spec<lock_entry>(kRow, "waits", "total_ns", kStackLosses);
constexpr View kViews[] = {
    {.name = "the stacks", .shape = kStacks},
    {.option = "by=lock|by=thread",
     .name = "the table of --by",
     .without = "user-stacks|kernel-stacks|lines",
     .shape = kRows},
    {.option = "histogram",
     .name = "the histogram",
     .without = "by|user-stacks|kernel-stacks|lines",
     .shape = histogram_spec<lock_slot_entry>(kSlot, "slots", "", kStackLosses)},
};

constexpr std::string_view kNoKernel = "locks of the kernel, which it tells of since 5.19";
constexpr Hook kHooks[] = {
    {.name = "sys_enter"},
    {.name = "sys_exit"},
    {.name = "sched_waking"},
    {.name = "contention_begin", .required = false, .lost_without = kNoKernel},
    {.name = "contention_end", .required = false, .lost_without = kNoKernel},
    {.name = "unfinished", .required = false, .lost_without = "waits that last when the run ends"},
};

constexpr uint32_t kFutexes = (1U << LOCK_KERNEL) - 1;

// Programs for types that nobody asked for are not loaded.
void choose_types(uint32_t types, Object &object) {
  if (types == 0) return;
  object.set_constant("types", types);
  object.enable({"sys_enter", "sys_exit"}, (types & kFutexes) != 0);
  object.enable({"contention_begin", "contention_end"}, (types & ~kFutexes) != 0);
}

// Of locks of the kernel alone: there is nothing else to show.
void require_kernel_locks(Object &object) {
  if (object.variant("contention_begin") != nullptr) return;
  throw Error(
      "cannot see locks of the kernel on this host: it has no tracepoint contention_begin, which came with 5.19 "
      "(try: strata locks --type mutex,rwlock,pi, for those of programs)");
}

int trace(const Values &values, Session &session, Object &object) {
  const uint32_t types = bits_named(values, "type", kTypes);
  choose_types(types, object);
  const bool slots = session.shows("histogram");
  object.enable("sched_waking", !slots);
  if (values.text("by") != "stack") session.keep(kToReadSymbols);
  object.enable("unfinished", !slots);
  Fd unfinished;  // open when privileges are given up
  session.when_attached([&] {
    if (types != 0 && (types & kFutexes) == 0) require_kernel_locks(object);
    unfinished = object.iterator("unfinished");
  });
  if (slots) {
    Stacks::leave_out(object);
    return run_view(session, object);
  }
  const auto with_unfinished = [&](Source source) {
    source.settle = [&] {
      if (unfinished) run_iterator(unfinished);
    };
    return source;
  };
  if (values.text("by") != "stack") {
    Stacks::leave_out(object);
    return run_table(session, object, with_unfinished(source_of(object, kRows.entries)));
  }
  Stacks stacks(session, object);
  return run_table(session, object, stacks.with_stacks(with_unfinished(source_of(object, kStacks.entries))));
}

}  // namespace

extern const Tool tool_locks = {
    .name = "locks",
    .subsystem = Subsystem::kProcesses,
    .summary = "show which locks threads wait for, how long, and who had them",
    .manual = kManual,
    .operands = kDurationOperands,
    .options = kOptions,
    .views = kViews,
    .programs = {.elf = locks_bpf::elf_bytes, .hooks = kHooks},
    .trace = trace,
};

}  // namespace strata
