// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata sigsnoop: each signal, who sends it and what becomes of it, and each that cannot be sent.
#include "sigsnoop/sigsnoop.h"

#include <string>

#include "base/error.h"
#include "base/text.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "kern/errno.h"
#include "kern/signal.h"
#include "model/columns.h"
#include "run/tool.h"
#include "sigsnoop.manual.h"
#include "sigsnoop.skel.h"
#include "subsys/stacks.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {
    {.name = "failed", .short_name = 'x', .help = "only signals that could not be sent", .constant = "failed_only"},
    {.name = "kill", .short_name = 'k', .help = "only those that kill(2) and the like send", .constant = "calls_only"},
    {.name = "sent", .help = "none of the calls that fail: spares all system calls a program"},
    {.name = "signal",
     .short_name = 's',
     .value = "SIGNAL,...",
     .kind = OptionKind::kTexts,
     .help = "only these, by name or number (KILL, SIGTERM, 9, RTMIN+2); 0: kill -0; repeatable",
     .constant_if_given = "by_signal",
     .candidates = signal_names},
    pid_option(
        {.name = "target", .short_name = 'T', .help = "only signals to this process", .constant = "only_target"}),
};

constexpr std::string_view kOrigins[] = {"call", "act", "kernel"};
constexpr std::string_view kResults[] = {"sent", "ignored", "pending", "EAGAIN", "no info", "exists"};

template <size_t N>
std::string word(const std::string_view (&words)[N], uint32_t number) {
  return number < N ? std::string(words[number]) : std::to_string(number);
}

// Of what the kernel sends of itself, the current task is no sender.
bool has_sender(const signal_event &e) { return e.origin != SIGNAL_KERNEL; }

constexpr Field kFields[] = {
    time_column({STORED(signal_event, ts_ns), .help = "when it was sent, or the call failed"}),
    pid_column({STORED(signal_event, tgid), .optional = true, SHOWN_IF(has_sender),
                .help = "the process that sent it; empty: the kernel did"}),
    tid_column(
        {STORED(signal_event, tid), .optional = true, SHOWN_IF(has_sender), .help = "its thread", .hidden = true}),
    comm_column({STORED(signal_event, comm), SHOWN_IF(has_sender), .help = "its name"}),
    {STORED(signal_event, signal),
     COMPUTED([](const signal_event &e) { return e.signal != 0 ? signal_name(e.signal) : "0"; }), .key = "signal",
     .title = "SIGNAL", .width = -7, .help = "its name; 0: kill -0"},
    {STORED(signal_event, target), .optional = true, .key = "target_tgid", .title = "TPID", .width = 7,
     .help = "the process that it is for; of a failed call as given: below 0 a group"},
    {STORED(signal_event, target_tid), .optional = true, .key = "target_tid", .title = "TTID", .width = 7,
     .help = "its thread, of a signal to one thread", .hidden = true},
    {STORED(signal_event, target_comm), .optional = true, .key = "target_comm", .title = "TCOMM", .width = -15,

     .help = "its name, unless the call failed"},
    {STORED(signal_event, code), COMPUTED([](const signal_event &e) { return signal_code_name(e.signal, e.code); }),
     .key = "code", .title = "CODE", .width = -11, .help = "where it comes from, as sigaction(2) names it",
     .hidden = true},
    {STORED(signal_event, result), COMPUTED([](const signal_event &e) {
       return e.result < 0 ? errno_name(e.result) : word(kResults, static_cast<uint32_t>(e.result));
     }),
     .key = "result", .title = "RESULT", .width = -7, .help = "sent, ignored, pending (it was already), or the error"},
    {STORED(signal_event, origin), COMPUTED([](const signal_event &e) { return word(kOrigins, e.origin); }),
     .key = "origin", .title = "ORIGIN", .width = -6,
     .help = "call, act (the kernel, for what the sender did) or kernel", .hidden = true},
    {COMPUTED([](const signal_event &e) { return e.tgid; }), .key = "current_tgid", .title = "CURRENT", .width = 7,
     .help = "what ran when it was sent: of the kernel's, often a bystander", .hidden = true},
    {COMPUTED([](const signal_event &e, RowWriter &out) { out.comm(e.comm); }), .key = "current_comm", .title = "CCOMM",
     .width = -9, .whole = kNameOfTask, .help = "its name", .hidden = true},
};
constexpr RecordType kSignal = record_type<signal_event>("signal", kFields);
constexpr View kViews[] = {{.name = "lines", .shape = EventSpec{.record = &kSignal}}};

constexpr Hook kHooks[] = {{.name = "signal_generate"}, {.name = "sys_exit"}};
constexpr Link kLinks[] = {{"killsnoop", "--kill"}};

int trace(const Values &values, Session &session, Object &object) {
  SignalSet wanted;
  for (const std::string &list : values.texts("signal")) {
    if (!add_signals(wanted, list))
      throw usage_error("--signal takes signals, as KILL,SIGTERM,9,RTMIN+2, not '" + printable(list) + "'");
  }
  object.set_constant("wanted_zero", wanted.zero);
  object.set_constant("wanted_signals", wanted.signals);
  object.enable("sys_exit", !values.given("sent"));
  return run_view(session, object);
}

}  // namespace

extern const Tool tool_sigsnoop = {
    .name = "sigsnoop",
    .subsystem = Subsystem::kProcesses,
    .summary = "show each signal: who sends it, to whom, and what it does",
    .manual = kManual,
    .options = kOptions,
    .links = kLinks,
    .views = kViews,
    .programs = {.elf = sigsnoop_bpf::elf_bytes, .hooks = kHooks},
    .stacks = event_stacks(sigsnoop_stacks_bpf__elf_bytes),
    .trace = trace,
};

}  // namespace strata
