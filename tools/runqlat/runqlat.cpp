// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata runqlat: how long threads wait for a CPU.
#include "runqlat/runqlat.h"

#include "bpf/object.h"
#include "model/columns.h"
#include "run/session.h"
#include "run/tool.h"
#include "runqlat.manual.h"
#include "runqlat.skel.h"
#include "subsys/sched_by.h"
#include "subsys/stacks.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {
    kByProcessOption,
    kByThreadOption,
    kByCgroupOption,
    kByOwnerOption,
    {.name = "by-cpu", .help = "one for each CPU that was got"},
    {.name = "by-pidns", .help = "one for each PID namespace, by its inode"},
    {.name = "slower",
     .value = "TIME",
     .kind = OptionKind::kTime,
     .help = "instead, a line for each wait of TIME or more (10ms)",
     .high = kHourNs,
     .constant = "slower_ns",
     .constant_if_given = "listed"},
};

constexpr Field kSlotFields[] = {
    SLOT_STORED(runqlat_entry),
    {STORED(runqlat_entry, key.by)},
    {STORED(runqlat_entry, key.zero)},
    {STORED(runqlat_entry, key.slot)},
    {COMPUTED(slot_values), .key = "lat_ns", .title = "LATENCY", .unit = Unit::kNs, .help = "how long"},
    by_cpu_column<runqlat_entry>("the CPU that was got"),
    by_cgroup_column<runqlat_entry>("with -C"),
    OWNER_KEYS(runqlat_entry, SCHED_BY_, "by-cgroup|by-owner="),
    {STORED(runqlat_entry, key.pidns), SHOWN_IF(is_by<runqlat_entry, SCHED_BY_PIDNS>), .key = "pidns", .title = "PIDNS",
     .help = "with --by-pidns", .with = "by-pidns"},
    by_tgid_column<runqlat_entry>("its process"),
    by_tid_column<runqlat_entry>("its thread"),
    by_comm_column<runqlat_entry>("who waited: with -P the process's name, else the thread's"),
};
constexpr RecordType kSlot = record_type<runqlat_entry>("slot", kSlotFields);

bool ran(const runqlat_wait &e) { return e.prev_idle == 0; }  // else the CPU was idle

constexpr Field kWaitFields[] = {
    time_column({STORED(runqlat_wait, ts_ns), .help = "when the wait ended"}),
    {STORED(runqlat_wait, cpu), .key = "cpu", .title = "CPU", .width = 3, .help = "the CPU that was got",
     .hidden = true},
    comm_column({STORED(runqlat_wait, comm), .help = "who waited: with -P the process's name, else the thread's"}),
    pid_column({STORED(runqlat_wait, tgid), .help = "its process", .hidden = true}),
    tid_column({STORED(runqlat_wait, tid), .help = "its thread"}),
    latency_column({STORED(runqlat_wait, lat_ns), .help = "how long"}),
    {STORED(runqlat_wait, moved_ns), .key = "moved_ns", .title = "MOVED", .unit = Unit::kNs, .width = 7,
     .help = "of that, in queues of other CPUs", .hidden = true},
    {STORED(runqlat_wait, prev_tgid), SHOWN_IF(ran), .key = "prev_tgid", .title = "RANPID", .width = 7,
     .help = "process of the one before", .hidden = true},
    {STORED(runqlat_wait, prev_tid), SHOWN_IF(ran), .key = "prev_tid", .title = "RANTID", .width = 7,
     .help = "thread that had this CPU before"},
    {STORED(runqlat_wait, prev_ran_ns), SHOWN_IF(ran), .key = "prev_ran_ns", .title = "RANFOR", .unit = Unit::kNs,
     .width = 7, .help = "since it got the CPU"},
    {STORED(runqlat_wait, prev_comm), COMPUTED([](const runqlat_wait &e, RowWriter &out) {
       e.prev_idle != 0 ? out.text("(idle)") : out.comm(e.prev_comm);
     }),
     .key = "prev_comm", .title = "RAN", .help = "its name; (idle): the CPU was idle"},
    {STORED(runqlat_wait, prev_idle)},
    {COMPUTED(slot_values), .key = "cgroup", .title = "CGROUP", .help = "with -C", .hidden = true},
    {COMPUTED(slot_values), .key = "pidns", .title = "PIDNS", .help = "with --by-pidns", .hidden = true},
};
constexpr RecordType kWait = record_type<runqlat_wait>("wait", kWaitFields);

constexpr std::string_view kLosses[] = {"waits perhaps too short: the program was not run for the switch before",
                                        "a wait without a time: the thread had not been seen before",
                                        "waits that the program was not run for"};
constexpr View kViews[] = {
    {.name = "histograms", .shape = histogram_spec<runqlat_entry>(kSlot, "waits", "waits_by", kLosses)},
    {.option = "slower",
     .name = "--slower, which lists waits",
     .without = "by-process|by-thread|by-cgroup|by-cpu|by-pidns",
     .shape = EventSpec{.record = &kWait, .losses = kLosses}},
};

constexpr Hook kHooks[] = {{.name = "sched_switch"}};
constexpr Operand kSlowerOperands[] = {option_operand("MIN_US", "slower", "as --slower, in microseconds", "us")};
constexpr Link kLinks[] = {{"runqslower", "--slower=10ms", kSlowerOperands}};

int trace(const Values &values, Session &session, Object &object) {
  object.set_constant("by", sched_by(values));
  return run_view(session, object);
}

}  // namespace

extern const Tool tool_runqlat = {
    .name = "runqlat",
    .subsystem = Subsystem::kCpus,
    .summary = "show how long threads wait for a CPU, or each long wait",
    .manual = kManual,
    .options = kOptions,
    .links = kLinks,
    .views = kViews,
    .programs = {.elf = runqlat_bpf::elf_bytes, .hooks = kHooks},
    .stacks = event_stacks(runqlat_stacks_bpf__elf_bytes),
    .trace = trace,
};

}  // namespace strata
