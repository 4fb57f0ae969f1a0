// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata execsnoop: each program that is executed, with all of its arguments.
#include "execsnoop/execsnoop.h"

#include <fcntl.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/regex.h"
#include "base/shell.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "execsnoop.manual.h"
#include "execsnoop.skel.h"
#include "kern/errno.h"
#include "kern/path.h"
#include "kern/signal.h"
#include "model/columns.h"
#include "run/events.h"
#include "run/resolver.h"
#include "run/session.h"
#include "run/tool.h"
#include "run/uid_option.h"
#include "subsys/cgroup_columns.h"
#include "subsys/stacks.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {
    {.name = "failed", .short_name = 'x', .help = "failed calls too, with the error"},
    {.name = "exit", .help = "print a program when it ends: after what time, and how", .constant = "want_ends"},
    uid_option({.help = "only of this user", .constant = "only_uid", .constant_if_given = "by_uid"}),
    pid_option({.name = "ppid",
                .short_name = 'P',
                .help = "only children of this process",
                .constant = "only_ppid",
                .constant_if_given = "by_ppid"}),
    {.name = "parent",
     .value = "NAME",
     .kind = OptionKind::kText,
     .help = "only children of processes of this name",
     .constant_if_given = "by_parent"},
    {.name = "match",
     .value = "REGEX",
     .kind = OptionKind::kText,
     .help = "only where file or arguments, as they are printed, match this extended regular expression"},
    {.name = "max-args",
     .value = "BYTES",
     .kind = OptionKind::kNumber,
     .help = "keep so many of the arguments, count the rest",
     .low = 256,  // less is meant as a number of arguments, as in bcc
     .high = EXEC_ARGS,
     .default_value = "16k",
     .constant = "max_args"},
};

// The parts of a record's text. A recording may claim anything: what is beyond the text is empty.
class Parts {
 public:
  explicit Parts(const exec_event &e) : rest_(e.text, sizeof(e.text)) {
    file = take_name(e.file_bytes);
    interp = take_name(e.interp_bytes);
    cwd = take(e.cwd_bytes);
    exe = take(e.exe_bytes);
    args = take(e.args_bytes);
  }

  std::string_view file, interp, cwd, exe, args;

 private:
  std::string_view take(size_t bytes) {
    const std::string_view part = rest_.substr(0, bytes);
    rest_.remove_prefix(part.size());
    return part;
  }
  std::string_view take_name(size_t bytes) {
    const std::string_view part = take(bytes);
    return part.substr(0, part.find('\0'));
  }

  std::string_view rest_;
};

// A failed execveat's file as the kernel calls it where it succeeds.
std::string file_of(const exec_event &e) {
  std::string name(Parts(e).file);
  if (e.dirfd == AT_FDCWD || e.kind != EXEC_FAILED || name.starts_with('/')) return name;
  return "/dev/fd/" + std::to_string(e.dirfd) + (name.empty() ? "" : "/") + name;
}

std::optional<std::string> path_of_names(std::string_view bytes, uint32_t whole) {
  if (bytes.empty() && whole == 0) return std::nullopt;
  path_names names = {
      .bytes = static_cast<uint32_t>(std::min(bytes.size(), sizeof(path_names::names))), .whole = whole, .names = {}};
  bytes.copy(names.names, sizeof(names.names));
  return path_of(names);
}

std::optional<std::string> exe_of(const exec_event &e) {
  std::optional<std::string> path = path_of_names(Parts(e).exe, e.exe_whole);
  if (path && e.exe_deleted != 0) *path += " (deleted)";
  return path;
}

std::optional<uint64_t> missing_bytes(const exec_event &e) {
  return if_known(e.args_cut == 0, e.args_total - std::min<uint64_t>(e.args_total, e.args_bytes));
}

// As Unit::kWords has them.
std::string args_of(const exec_event &e) {
  const std::optional<uint64_t> missing = missing_bytes(e);
  std::string words(Parts(e).args);
  if (!words.empty() && words.back() != '\0') words += '\0';
  if (missing == 0) return words;
  return words + (missing ? "... (" + std::to_string(*missing) + " bytes more)" : "... (more)");
}

std::optional<std::string> error_of(const exec_event &e) {
  return e.kind == EXEC_FAILED ? std::optional(errno_name(e.error)) : std::nullopt;
}

// How a program ended whose end was waited for.
struct ExecEnd {
  const exec_event *by;      // the record of its end, or of the exec that replaced it
  const char *unknown = "";  // why there is none
};

std::optional<std::string> result_of(const exec_event &e, const ExecEnd *end) {
  if (end == nullptr) return error_of(e);
  if (end->by == nullptr) return end->unknown;
  return end->by->kind == EXEC_ENDED ? wait_status_text(end->by->exit_code) : "exec";
}

// wait(2)'s status of a process that ended.
std::optional<uint32_t> status_of(const ExecEnd *end) {
  const bool known = end != nullptr && end->by != nullptr && end->by->kind == EXEC_ENDED;
  return known ? std::optional<uint32_t>(end->by->exit_code) : std::nullopt;
}

uint64_t cgroup_of(const exec_event &e) { return e.cgroup; }

constexpr Field kFields[] = {
    time_column({STORED(exec_event, ts_ns), .help = "when the program began, or the call failed"}),
    pid_column({STORED(exec_event, tgid), .help = "the process"}),
    tid_column(
        {STORED(exec_event, tid), .help = "the thread that called; a program begins as thread PID", .hidden = true}),
    {STORED(exec_event, ppid), .key = "ppid", .title = "PPID", .width = 7, .help = "the parent process"},
    {STORED(exec_event, parent), .key = "parent", .title = "PARENT", .width = -15, .help = "name of the parent",
     .hidden = true},
    uid_column({STORED(exec_event, uid), .help = "the user whose rights it has", .hidden = true}),
    {STORED(exec_event, gid), .key = "gid", .title = "GID", .width = 5, .help = "its group", .hidden = true},
    {STORED(exec_event, cpu), .key = "cpu", .title = "CPU", .width = 3, .help = "the processor of the call",
     .hidden = true},
    cgroup_column<exec_event, cgroup_of>(
        {STORED(exec_event, cgroup), .width = -24, .help = "the control group (v2)", .hidden = true}),
    OWNER_COLUMNS(exec_event, cgroup_of),
    {STORED(exec_event, since_ns), COMPUTED([](const exec_event &e, const ExecEnd *end) {
       const bool known = end != nullptr && end->by != nullptr;
       return known ? Value(uint64_t{end->by->ts_ns - std::min(end->by->ts_ns, e.ts_ns)}) : Value();
     }),
     .key = "life_ns", .title = "LIFE", .unit = Unit::kNs, .width = 7,
     .help = "from the beginning of the program to its end (--exit)", .with = "exit"},
    {STORED(exec_event, kind), COMPUTED(result_of), .key = "result", .title = "RESULT", .width = -9,
     .help = "the error; or its end: exit CODE, a signal, exec (another program), running, or not seen (its record was "
             "lost)",
     .with = "failed|exit"},
    {STORED(exec_event, error), COMPUTED(error_of), .key = "error", .title = "ERROR", .width = -9,
     .help = "why the call failed (--failed)", .hidden = true},
    {STORED(exec_event, exit_code), COMPUTED([](const exec_event &, const ExecEnd *end) {
       const std::optional<uint32_t> status = status_of(end);
       return if_known(status && (*status & 0x7f) == 0, status.value_or(0) >> 8 & 0xff);
     }),
     .key = "exit_code", .title = "EXIT", .width = 4, .help = "of exit(2), 0 to 255 (--exit)", .hidden = true},
    {COMPUTED([](const exec_event &, const ExecEnd *end) {
       const uint32_t signal = status_of(end).value_or(0) & 0x7f;
       return if_known(signal != 0, signal_name(signal));
     }),
     .key = "signal", .title = "SIGNAL", .width = -9, .help = "what killed it (--exit)", .hidden = true},
    {STORED(exec_event, dirfd), COMPUTED(file_of), .key = "file", .title = "FILE", .width = -20,
     .help = "as the caller named it; /dev/fd/N[/PATH]: by a descriptor of its own", .may_be_empty = true},
    {STORED(exec_event, interp_bytes), COMPUTED([](const exec_event &e) {
       const std::string_view interp = Parts(e).interp;
       return if_known(!interp.empty(), interp);
     }),
     .key = "interp", .title = "INTERP", .width = -16, .help = "the interpreter that runs the file, if one does",
     .hidden = true},
    {STORED(exec_event, exe_bytes), COMPUTED(exe_of), .key = "exe", .title = "EXE", .width = -24,
     .help = "full path of what runs, of a script its interpreter", .hidden = true},
    {STORED(exec_event, cwd_bytes),
     COMPUTED([](const exec_event &e) { return path_of_names(Parts(e).cwd, e.cwd_whole); }), .key = "cwd",
     .title = "CWD", .width = -24, .help = "the working directory", .hidden = true},
    comm_column({STORED(exec_event, comm), .help = "name of the task", .hidden = true}),
    {STORED(exec_event, args_bytes), COMPUTED(args_of), .key = "args", .title = "ARGS", .unit = Unit::kWords,
     .help = "its arguments from argv[0] on, quoted as for a shell"},
    {STORED(exec_event, args_total), COMPUTED(missing_bytes), .key = "args_missing_bytes", .title = "MISSING",
     .unit = Unit::kBytes, .width = 7, .help = "of the arguments, beyond --max-args; empty: it is not known how many",
     .hidden = true},
    {STORED(exec_event, waits)},
    {STORED(exec_event, args_cut)},
    {STORED(exec_event, file_bytes)},
    {STORED(exec_event, cwd_whole)},
    {STORED(exec_event, exe_whole)},
    {STORED(exec_event, exe_deleted)},
    {STORED(exec_event, text)},
};
constexpr RecordType kExec = record_type<exec_event>("exec", kFields);

// Execs that wait for the end of their program, by process and time.
class Join {
 public:
  void operator()(const void *record, Resolver &names, const Emit &emit) {
    if (record == nullptr) return emit_rest(emit);
    const exec_event &e = *static_cast<const exec_event *>(record);
    if (e.since_ns != 0) end(e, emit);
    if (e.kind != EXEC_FAILED && e.tgid != 0) emit_unseen(e.tgid, emit);
    if (e.kind == EXEC_ENDED) return;
    if (e.waits == 0) return emit(&e);
    names.cgroup(e.cgroup);  // it may be gone at the end
    if (emit.stack() != 0) names.stack(emit.stack());
    const uint64_t text = uint64_t{e.file_bytes} + e.interp_bytes + e.cwd_bytes + e.exe_bytes + e.args_bytes;
    const auto *bytes = reinterpret_cast<const std::byte *>(&e);
    waiting_[{e.tgid, e.ts_ns}] = {.bytes = {bytes, bytes + EXEC_HEADER + std::min<uint64_t>(text, EXEC_TEXT)},
                                   .stack = emit.stack()};
  }

 private:
  struct Kept {
    std::vector<std::byte> bytes;  // a copy of a record, without the room that its text does not need
    uint64_t stack;

    [[nodiscard]] const exec_event *event() const { return reinterpret_cast<const exec_event *>(bytes.data()); }
  };

  static void emit_kept(const Kept &kept, const ExecEnd &end, const Emit &emit) {
    emit(kept.event(), &end, kept.stack);
  }

  void end(const exec_event &e, const Emit &emit) {
    const auto found = waiting_.find({e.tgid, e.since_ns});
    if (found == waiting_.end()) return;
    emit_kept(found->second, {.by = &e}, emit);
    waiting_.erase(found);
  }

  // A process has one program at a time: whatever else waits has ended, and its record was lost.
  void emit_unseen(uint32_t tgid, const Emit &emit) {
    const ExecEnd end = {.by = nullptr, .unknown = "not seen"};
    auto it = waiting_.lower_bound({tgid, 0});
    while (it != waiting_.end() && it->first.first == tgid) {
      emit_kept(it->second, end, emit);
      it = waiting_.erase(it);
    }
  }

  // In the order in which they began.
  void emit_rest(const Emit &emit) {
    const ExecEnd end = {.by = nullptr, .unknown = "running"};
    std::vector<const Kept *> rest;
    for (const auto &[key, kept] : waiting_) rest.push_back(&kept);
    std::sort(rest.begin(), rest.end(), [](auto *a, auto *b) { return a->event()->ts_ns < b->event()->ts_ns; });
    for (const Kept *kept : rest) emit_kept(*kept, end, emit);
    waiting_.clear();
  }

  std::map<std::pair<uint32_t, uint64_t>, Kept> waiting_;
};

constexpr std::string_view kLosses[] = {"end of a program not noted, no room", "failed call of a 32-bit program"};
Keep keep(const Values &options) {
  if (!options.given("match")) return {};
  return keep_if<exec_event>([regex = std::make_shared<Regex>(options.text("match"))](const exec_event &e) {
    return regex->matches(file_of(e)) || regex->matches(shell_line(args_of(e)));
  });
}

constexpr View kViews[] = {
    {.name = "lines",
     .shape = EventSpec{
         .record = &kExec, .losses = kLosses, .transform = []() -> Transform { return Join(); }, .keep = keep}}};

constexpr Hook kHooks[] = {
    {.name = "sched_process_exec"}, {.name = "sys_enter"}, {.name = "sys_exit"}, {.name = "sched_process_exit"}};

void prepare(Object &object) { object.enable({"sys_enter", "sys_exit", "sched_process_exit"}, false); }
constexpr uint32_t kRunning = 65536;  // programs whose end is awaited

// Paths cost more than all the rest: in text and csv only if --columns names them. Other formats print every column.
bool prints_all(const Values &values) {
  const std::vector<std::string> &outputs = values.texts("output");
  return values.given("json") || std::any_of(outputs.begin(), outputs.end(), [](const std::string &output) {
           return !output.starts_with("text") && !output.starts_with("csv");
         });
}

// A comm, padded with zeros.
std::array<uint64_t, 2> comm_of(const std::string &name) {
  std::array<uint64_t, 2> comm = {};
  if (name.empty() || name.size() >= sizeof(comm)) throw usage_error("--parent takes a name of 1 to 15 bytes");
  memcpy(comm.data(), name.data(), name.size());
  return comm;
}

void check_process(uint64_t tgid) {
  if (kill(static_cast<pid_t>(tgid), 0) != 0 && errno != EPERM) throw Error("no such process: " + std::to_string(tgid));
}

int trace(const Values &values, Session &session, Object &object) {
  if (values.given("ppid")) check_process(values.number("ppid"));
  object.enable("sys_enter", session.has_stacks());
  object.enable("sys_exit", values.given("failed"));
  object.enable("sched_process_exit", values.given("exit"));
  object.set_constant("want_cwd", prints_all(values) || session.shows_column("cwd"));
  object.set_constant("want_exe", prints_all(values) || session.shows_column("exe"));
  object.set_constant("execve_number", uint32_t{SYS_execve});
  object.set_constant("execveat_number", uint32_t{SYS_execveat});
  if (values.given("exit")) object.set_max_entries("running", kRunning);
  if (values.given("parent")) object.set_constant("only_parent", comm_of(values.text("parent")));
  return run_events(session, object);
}

}  // namespace

extern const Tool tool_execsnoop = {
    .name = "execsnoop",
    .subsystem = Subsystem::kProcesses,
    .summary = "show each program that is executed, with all of its arguments",
    .manual = kManual,
    .options = kOptions,
    .views = kViews,
    .programs = {.elf = execsnoop_bpf::elf_bytes, .hooks = kHooks, .prepare = prepare},
    .stacks = event_stacks(execsnoop_stacks_bpf__elf_bytes),
    .trace = trace,
};

}  // namespace strata
