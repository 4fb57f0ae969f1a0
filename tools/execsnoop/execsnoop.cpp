// strata execsnoop: each program that is executed, with all of its arguments.
#include <sys/syscall.h>

#include <array>
#include <csignal>
#include <cstring>

#include "base/error.h"
#include "base/regex.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "execsnoop.manual.h"
#include "execsnoop.options.h"
#include "execsnoop.rows.h"
#include "execsnoop.skel.h"
#include "render/sink.h"
#include "run/session.h"
#include "run/tool.h"

namespace strata {
namespace {

constexpr Hook kHooks[] = {{.name = "sched_process_exec"}, {.name = "sys_exit"}, {.name = "sched_process_exit"}};
constexpr Events kEvents = events_of<ExecShown, give_exec>(kExecWire, kExecLosses, exec_join);
constexpr uint32_t kRunning = 65536;  // programs whose end is awaited

void prepare(Object &object) {
  object.enable("sys_exit", false);
  object.enable("sched_process_exit", false);
}
const Blueprint kLoads[] = {{.elf = execsnoop_bpf::elf_bytes, .hooks = kHooks, .prepare = prepare}};

void set_parent(Object &object, const std::string &name) {
  std::array<uint64_t, 2> comm = {};
  if (name.empty() || name.size() >= sizeof(comm)) throw usage_error("--parent takes a name of 1 to 15 bytes");
  memcpy(comm.data(), name.data(), name.size());
  object.set_knob("by_parent", true);
  object.set_knob("only_parent", comm);
}

void set_filters(const Values &values, Object &object) {
  if (values.given("parent")) set_parent(object, values.text("parent"));
  object.set_knob("by_uid", values.given("uid"));
  object.set_knob("only_uid", static_cast<uint32_t>(values.number("uid")));
  if (!values.given("ppid")) return;
  const auto ppid = static_cast<uint32_t>(values.number("ppid"));
  if (kill(static_cast<pid_t>(ppid), 0) != 0 && errno != EPERM) throw Error("no such process: " + std::to_string(ppid));
  object.set_knob("by_ppid", true);
  object.set_knob("only_ppid", ppid);
}

int run(const Values &values, Session &session) {
  const Regex regex(values.text("match"));
  Skeleton<execsnoop_bpf> skel;
  Object object(skel->skeleton, kHooks);
  object.enable("sys_exit", values.given("failed"));
  object.enable("sched_process_exit", values.given("exit"));
  object.set_knob("want_ends", values.given("exit"));
  object.set_knob("want_cwd", exec_prints("cwd", values));
  object.set_knob("want_exe", exec_prints("exe", values));
  object.set_knob("max_args", static_cast<uint32_t>(values.number("max-args")));
  object.set_knob("execve_number", uint32_t{SYS_execve});
  object.set_knob("execveat_number", uint32_t{SYS_execveat});
  if (values.given("exit")) object.set_max_entries("running", kRunning);
  set_filters(values, object);
  if (!values.given("match")) return run_events(session, object, kEvents);
  const auto wanted = [&](const ExecShown &shown) {
    const ExecParts parts(shown.exec);
    return regex.matches(exec_file(shown.exec, parts.file)) || regex.matches(exec_args(shown.exec, parts.args));
  };
  return run_events(session, object, kEvents, keep_if<ExecShown>(wanted));
}

}  // namespace

extern const Tool tool_execsnoop = {
    .name = "execsnoop",
    .summary = "show each program that is executed, with all of its arguments",
    .manual = kExecsnoopManual,
    .details = kExecsnoopDetails,
    .options = kExecOptions,
    .takes = kTakesTracing | kTakesBuffer | kTakesColumns,
    .formats = kRowFormats,
    .columns = kExecColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay_events<kEvents>,
};

}  // namespace strata
