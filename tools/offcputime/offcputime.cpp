// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata offcputime: for how long, in which state and where in the code threads are off the CPU.
#include "offcputime/offcputime.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/joined.h"
#include "base/text.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "model/columns.h"
#include "offcputime.manual.h"
#include "offcputime.skel.h"
#include "run/intervals.h"
#include "run/session.h"
#include "run/table.h"
#include "run/tool.h"
#include "subsys/stack_columns.h"
#include "subsys/stack_pairs.h"
#include "subsys/stacks.h"
#include "subsys/wait_reason.h"

namespace strata {
namespace {

// As of ps, in the order of enum off_state.
constexpr std::string_view kStates[OFF_STATES] = {"R", "S", "D", "I", "T", "P"};

constexpr Option kOwnOptions[] = {
    min_option({.name = "min-latency", .help = "only stretches that lasted so long (10ms, 1s)"}),
    {.name = "max-latency",
     .short_name = 'M',
     .value = "TIME",
     .kind = OptionKind::kTime,
     .help = "only stretches that lasted no longer",
     .high = kHourNs,
     .constant = "max_ns"},
    {.name = "state",
     .value = "STATE,...",
     .kind = OptionKind::kText,
     .help = "only in these states, as of ps: R, S, D, I, T, P",
     .candidates = [] { return candidates_of(kStates); }},
    {.name = "user-threads", .short_name = 'u', .help = "without threads of the kernel", .constant = "user_threads"},
    {.name = "kernel-threads", .short_name = 'k', .help = "threads of the kernel alone", .constant = "kernel_threads"},
    {.name = "waker", .help = "with who woke them, and from where"},
    {.name = "chain", .help = "with who woke those, too, and so on", .constant = "in_chains"},
    {.name = "depth",
     .value = "N",
     .kind = OptionKind::kNumber,
     .help = "of --chain: at most so many wakers",
     .low = 1,
     .high = CHAIN_WAKERS,
     .default_value = "4",
     .constant = "chain_depth"},
    {.name = "waker-alone", .help = "instead, who woke them: the time until then", .constant = "wakers_alone"},
    {.name = "histogram",
     .short_name = 'H',
     .help = "instead, how many stretches lasted how long",
     .constant = "in_slots"},
    {.name = "account", .help = "instead, where each thread's time went", .constant = "account"},
};
constexpr auto kOptions = joined(kOwnOptions, kStackOptions);

std::string frames_of_stretch(const off_entry &e, Resolver &names) {
  return frames_of(e.key.kernel_stack, e.key.user_stack, names);
}

std::string frames_of_wake(const wake_entry &e, Resolver &names) {
  return stack_pair(frames_of(e.key.waker_kernel_stack, e.key.waker_user_stack, names),
                    frames_of(e.key.off.kernel_stack, e.key.off.user_stack, names));
}

std::string frames_of_chain(const chain_entry &e, Resolver &names) {
  std::vector<NamedStack> wakers;
  for (uint32_t i = 0; i < std::min<uint32_t>(e.key.wakers, CHAIN_WAKERS); i++) {
    const chain_waker &waker = e.key.waker[i];
    wakers.push_back({std::string(cstr(waker.comm)), frames_of(waker.kernel_stack, waker.user_stack, names)});
  }
  const std::string text = stack_chain(wakers, frames_of(e.key.off.kernel_stack, e.key.off.user_stack, names));
  return e.key.cut != 0 ? "[truncated: more wakers]\n" + text : text;
}

std::string_view state_name(uint32_t state) { return state < OFF_STATES ? kStates[state] : "?"; }

// What the kernel tells is more than what its functions do, but for a page that must be read.
MaybeText reason(const off_key &key, Resolver &names) {
  constexpr std::string_view kTold[OFF_REASONS] = {"", "io", "lock", "quota"};
  const std::string_view told = key.reason < OFF_REASONS ? kTold[key.reason] : "?";
  const bool asleep = key.state != OFF_RUNNABLE && key.kernel_stack != 0;
  const std::string_view seen = asleep ? wait_reason(names.stack(key.kernel_stack)) : "";
  const std::string_view both = told.empty() || (key.reason == OFF_IO && seen == "fault") ? seen : told;
  return both.empty() ? MaybeText() : MaybeText(std::string(both));
}

MaybeText reason_of_stretch(const off_entry &e, Resolver &names) { return reason(e.key, names); }
MaybeText reason_of_wake(const wake_entry &e, Resolver &names) { return reason(e.key.off, names); }
MaybeText reason_of_chain(const chain_entry &e, Resolver &names) { return reason(e.key.off, names); }

bool was_woken(const wake_entry &e) { return e.key.waker_comm[0] != '\0'; }

constexpr Field total_column(const Field &column) {
  return completed(column, {.key = "total_ns", .title = "OFF-CPU", .unit = Unit::kNs, .width = 7});
}
constexpr Field count_column(const Field &column) {
  return completed(column, {.key = "count", .title = "COUNT", .width = 6, .help = "stretches"});
}
constexpr Field state_column(const Field &column) {
  return completed(column, {COMPUTED(state_name), .key = "task_state", .title = "STATE", .width = -5,
                            .help = "as of ps; R: it could have run on"});
}
constexpr Field reason_column(const Field &column) {
  return completed(column, {.key = "wait_reason",
                            .title = "REASON",
                            .width = -7,
                            .help = "io, lock, quota, fault, futex, socket, pipe, poll, sleep, child"});
}

constexpr Field kStackFields[] = {
    INTERVAL_STORED(off_entry),
    total_column({STORED(off_entry, value.off_ns), .help = "from each switch away to the next one back"}),
    share_column<off_entry>(),
    count_column({STORED(off_entry, value.count)}),
    pid_column({STORED(off_entry, key.tgid), .help = "its process"}),
    state_column({STORED(off_entry, key.state)}),
    {STORED(off_entry, key.reason)},
    reason_column({COMPUTED(reason_of_stretch)}),
    {STORED(off_entry, key.zero)},
    comm_column({STORED(off_entry, key.comm), .help = "the thread's name"}),
    {STORED(off_entry, key.user_stack), .pointer = true},
    {STORED(off_entry, key.kernel_stack), .pointer = true},
    {COMPUTED(frames_of_stretch), .key = "stack", .title = "STACK", .unit = Unit::kStack,
     .help = "functions, innermost first; _[k]: of the kernel"},
};
constexpr RecordType kStack = record_type<off_entry>("off", kStackFields);

constexpr Field kWakeFields[] = {
    INTERVAL_STORED(wake_entry),
    total_column({STORED(wake_entry, value.off_ns),
                  .help = "until the thread was on a CPU again; with --waker-alone until it was woken"}),
    share_column<wake_entry>(),
    count_column({STORED(wake_entry, value.count)}),
    pid_column({STORED(wake_entry, key.off.tgid), .help = "its process"}),
    state_column({STORED(wake_entry, key.off.state)}),
    {STORED(wake_entry, key.off.reason)},
    reason_column({COMPUTED(reason_of_wake)}),
    {STORED_AS("off_zero", wake_entry, key.off.zero)},
    comm_column({STORED(wake_entry, key.off.comm), .help = "the thread's name"}),
    {STORED(wake_entry, key.waker_tgid), SHOWN_IF(was_woken), .key = "waker_tgid", .title = "WAKERPID", .width = 8,
     .help = "process of who woke it"},
    {STORED(wake_entry, key.waker_comm), .optional = true, .key = "waker_comm", .title = "WAKER", .width = -15,
     .help = "name of the thread that woke it, or was interrupted by what did"},
    {STORED(wake_entry, key.zero)},
    {STORED(wake_entry, key.off.user_stack), .pointer = true},
    {STORED(wake_entry, key.off.kernel_stack), .pointer = true},
    {STORED(wake_entry, key.waker_user_stack), .pointer = true},
    {STORED(wake_entry, key.waker_kernel_stack), .pointer = true},
    {COMPUTED(frames_of_wake), .key = "stack", .title = "STACK", .unit = Unit::kStack,
     .help = "functions, innermost first; the waker's turned round above --"},
};
constexpr RecordType kWake = record_type<wake_entry>("wake", kWakeFields);

#define CHAIN_WAKER_STORED(n)                                                                             \
  {STORED_AS("waker" #n "_user_stack", chain_entry, key.waker[n].user_stack), .pointer = true},           \
      {STORED_AS("waker" #n "_kernel_stack", chain_entry, key.waker[n].kernel_stack), .pointer = true}, { \
    STORED_AS("waker" #n "_comm", chain_entry, key.waker[n].comm)                                         \
  }

constexpr Field kChainFields[] = {
    INTERVAL_STORED(chain_entry),
    total_column({STORED(chain_entry, value.off_ns), .help = "until the thread was on a CPU again"}),
    share_column<chain_entry>(),
    count_column({STORED(chain_entry, value.count)}),
    pid_column({STORED(chain_entry, key.off.tgid), .help = "its process"}),
    state_column({STORED(chain_entry, key.off.state)}),
    {STORED(chain_entry, key.off.reason)},
    reason_column({COMPUTED(reason_of_chain)}),
    {STORED(chain_entry, key.off.zero)},
    comm_column({STORED(chain_entry, key.off.comm), .help = "the thread's name"}),
    {STORED(chain_entry, key.wakers), .key = "wakers", .title = "WAKERS", .width = 6,
     .help = "how many there are above its stack"},
    {STORED(chain_entry, key.cut)},
    {STORED(chain_entry, key.off.user_stack), .pointer = true},
    {STORED(chain_entry, key.off.kernel_stack), .pointer = true},
    CHAIN_WAKER_STORED(0),
    CHAIN_WAKER_STORED(1),
    CHAIN_WAKER_STORED(2),
    CHAIN_WAKER_STORED(3),
    CHAIN_WAKER_STORED(4),
    CHAIN_WAKER_STORED(5),
    CHAIN_WAKER_STORED(6),
    CHAIN_WAKER_STORED(7),
    {COMPUTED(frames_of_chain), .key = "stack", .title = "STACK", .unit = Unit::kStack,
     .help = "functions, innermost first; above each -- who woke it, turned round, under its name"},
};
constexpr RecordType kChain = record_type<chain_entry>("chain", kChainFields);

constexpr Field kSlotFields[] = {
    SLOT_STORED(off_slot_entry),
    {STORED(off_slot_entry, key.slot)},
    {STORED(off_slot_entry, zero)},
    {COMPUTED(slot_values), .key = "dur_ns", .title = "OFF-CPU", .unit = Unit::kNs,
     .help = "how long a stretch lasted"},
};
constexpr RecordType kSlot = record_type<off_slot_entry>("slot", kSlotFields);

std::optional<double> known_percent(const account_entry &e) {
  const account_count &of = e.value;
  if (of.wall_ns == 0) return {};
  return 100.0 * static_cast<double>(of.on_ns + of.blocked_ns + of.wait_ns) / static_cast<double>(of.wall_ns);
}

constexpr Field kAccountFields[] = {
    INTERVAL_STORED(account_entry),
    {STORED(account_entry, value.wall_ns), .key = "wall_ns", .title = "WALL", .unit = Unit::kNs, .width = 7,
     .help = "from its begin, or the run's, to its end"},
    {STORED(account_entry, value.on_ns), .key = "on_cpu_ns", .title = "ON-CPU", .unit = Unit::kNs, .width = 7,
     .help = "on a CPU"},
    {STORED(account_entry, value.blocked_ns), .key = "blocked_ns", .title = "BLOCKED", .unit = Unit::kNs, .width = 7,
     .help = "off it, until it was woken"},
    {STORED(account_entry, value.wait_ns), .key = "queue_ns", .title = "QUEUED", .unit = Unit::kNs, .width = 7,
     .help = "off it, while it wanted one"},
    {COMPUTED(known_percent), .key = "known_percent", .title = "KNOWN", .unit = Unit::kPercent, .width = 6,
     .help = "of WALL: the sum of the three"},
    pid_column({STORED(account_entry, key.tgid), .help = "its process"}),
    tid_column({STORED(account_entry, key.tid), .help = "the thread"}),
    comm_column({STORED(account_entry, key.comm), .help = "the thread's name"}),
};
constexpr RecordType kAccount = record_type<account_entry>("account", kAccountFields);

constexpr std::string_view kOwnLosses[] = {"switches that the program was not run for: their stretches are missing"};
constexpr auto kLosses = joined(kStackLosses, kOwnLosses);
constexpr TableSpec kStacks = weighed(table_spec<off_entry>(kStack, "stretches", "total_ns", kLosses), "count");
constexpr TableSpec kWakes = weighed(table_spec<wake_entry>(kWake, "wakes", "total_ns", kLosses), "count");
constexpr TableSpec kChains = weighed(table_spec<chain_entry>(kChain, "chains", "total_ns", kLosses), "count");
constexpr TableSpec kThreads = table_spec<account_entry>(kAccount, "accounts", "blocked_ns", kLosses);
constexpr View kViews[] = {
    {.name = "the stacks", .without = "depth", .shape = kStacks},
    {.option = "waker|waker-alone", .name = "the stacks with their wakers", .without = "depth", .shape = kWakes},
    {.option = "chain", .name = "the chains", .shape = kChains},
    {.option = "histogram",
     .name = "the histogram",
     .without = "user-stacks|kernel-stacks|lines|depth",
     .shape = histogram_spec<off_slot_entry>(kSlot, "slots", "", kLosses)},
    {.option = "account",
     .name = "the account",
     .without = "user-stacks|kernel-stacks|lines|min-latency|max-latency|state|depth",
     .shape = kThreads},
};

constexpr std::string_view kNoLocks = "which waits are for locks of the kernel, which it tells of since 5.19";
constexpr Hook kHooks[] = {
    {.name = "sched_switch"},
    {.name = "thread_exit"},
    {.name = "sched_waking"},
    {.name = "contention_begin", .required = false, .lost_without = kNoLocks},
    {.name = "contention_end", .required = false, .lost_without = kNoLocks},
    {.name = "each_task",
     .required = false,
     .lost_without = "what sleeps as the run begins, until it comes back, and what sleeps as it ends"},
};

// Threads that sleep are looked at when the programs are attached, and before they are detached: by two files, as each
// is read once, which are open when privileges are given up.
class Sleepers {
 public:
  Sleepers(Session &session, Object &object) {
    session.when_attached([this, &object] {
      begin_ = object.iterator("each_task");
      end_ = object.iterator("each_task");
      look(begin_);
    });
  }
  Source with_sleepers(Source source) {
    source.settle = [this] { look(end_); };
    return source;
  }

 private:
  static void look(const Fd &tasks) {
    if (tasks) run_iterator(tasks);
  }
  Fd begin_, end_;
};

int trace(const Values &values, Session &session, Object &object) {
  if (values.given("user-threads")) reject_options(values, {"kernel-threads"}, "and --user-threads exclude each other");
  if (const uint32_t states = bits_named(values, "state", kStates)) object.set_constant("states", states);
  if (values.given("waker")) reject_options(values, {"waker-alone"}, "and --waker exclude each other");
  const bool wakers = any_given(values, {"waker", "waker-alone", "chain"});
  if (values.given("chain")) {
    object.set_max_entries("chain_lines", CHAIN_LINES);
    object.set_max_entries("chains", CHAINS);
  }
  object.enable("thread_exit", session.shows("account"));
  object.set_constant("with_wakers", wakers);
  object.enable("sched_waking", wakers);
  const bool without_reasons = session.shows("histogram") || session.shows("account");
  object.enable({"contention_begin", "contention_end"}, !without_reasons);
  if (without_reasons) Stacks::leave_out(object);
  if (session.shows("histogram")) {
    object.enable("each_task", false);
    return run_view(session, object);
  }
  Sleepers sleepers(session, object);
  if (session.shows("account"))
    return run_table(session, object, sleepers.with_sleepers(source_of(object, kThreads.entries)));
  Stacks stacks(session, object);
  stacks.remember_walks();
  return run_table(
      session, object,
      sleepers.with_sleepers(stacks.with_stacks(source_of(object, std::get<TableSpec>(session.view().shape).entries))));
}

constexpr Link kLinks[] = {{"offwaketime", "--waker"}, {"wakeuptime", "--waker-alone"}, {"chain", "--chain"}};

}  // namespace

extern const Tool tool_offcputime = {
    .name = "offcputime",
    .subsystem = Subsystem::kCpus,
    .summary = "show where threads block, and for how long",
    .manual = kManual,
    .operands = kDurationOperands,
    .options = kOptions,
    .links = kLinks,
    .views = kViews,
    .programs = {.elf = offcputime_bpf::elf_bytes, .hooks = kHooks},
    .trace = trace,
};

}  // namespace strata
