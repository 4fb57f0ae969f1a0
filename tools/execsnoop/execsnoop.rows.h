// Rows of strata execsnoop from what its BPF side sends.
#pragma once

#include <fcntl.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/shell.h"
#include "base/text.h"
#include "execsnoop/execsnoop.h"
#include "kern/errno.h"
#include "kern/path.h"
#include "kern/signal.h"
#include "rec/wire.h"
#include "run/events.h"
#include "run/names.h"

namespace strata {

inline constexpr Column kExecColumns[] = {
    {.key = "time_ns",
     .title = "TIME",
     .unit = Unit::kWallNs,
     .width = -15,
     .help = "when the program began, or the call failed"},
    {.key = "tgid", .title = "PID", .width = 7, .help = "the process"},
    {.key = "tid",
     .title = "TID",
     .width = 7,
     .help = "the thread that called; a program begins as thread PID",
     .by_default = false},
    {.key = "ppid", .title = "PPID", .width = 7, .help = "the parent process"},
    {.key = "parent", .title = "PARENT", .width = -15, .help = "name of the parent", .by_default = false},
    {.key = "uid", .title = "UID", .width = 5, .help = "the user whose rights it has", .by_default = false},
    {.key = "gid", .title = "GID", .width = 5, .help = "its group", .by_default = false},
    {.key = "cpu", .title = "CPU", .width = 3, .help = "the processor of the call", .by_default = false},
    {.key = "cgroup", .title = "CGROUP", .width = -24, .help = "the control group (v2)", .by_default = false},
    {.key = "life_ns",
     .title = "LIFE",
     .unit = Unit::kNs,
     .width = 7,
     .help = "from the beginning of the program to its end (--exit)",
     .with = "exit"},
    {.key = "result",
     .title = "RESULT",
     .width = -9,
     .help = "the error; or its end: exit CODE, a signal, exec (another program), running, or not seen (its "
             "record was lost)",
     .with = "failed|exit"},
    {.key = "error", .title = "ERROR", .width = -9, .help = "why the call failed (--failed)", .by_default = false},
    {.key = "exit_code", .title = "EXIT", .width = 4, .help = "of exit(2), 0 to 255 (--exit)", .by_default = false},
    {.key = "signal", .title = "SIGNAL", .width = -9, .help = "what killed it (--exit)", .by_default = false},
    {.key = "file",
     .title = "FILE",
     .width = -20,
     .help = "as the caller named it; /dev/fd/N[/PATH]: by a descriptor of its own"},
    {.key = "interp",
     .title = "INTERP",
     .width = -16,
     .help = "the interpreter that runs the file, if one does",
     .by_default = false},
    {.key = "exe",
     .title = "EXE",
     .width = -24,
     .help = "full path of what runs, of a script its interpreter",
     .by_default = false},
    {.key = "cwd", .title = "CWD", .width = -24, .help = "the working directory", .by_default = false},
    {.key = "comm", .title = "COMM", .width = -15, .help = "name of the task", .by_default = false},
    {.key = "args", .title = "ARGS", .help = "its arguments from argv[0] on, quoted as for a shell"},
    {.key = "args_missing_bytes",
     .title = "MISSING",
     .unit = Unit::kBytes,
     .width = 7,
     .help = "of the arguments, beyond --max-args; empty: it is not known how many",
     .by_default = false},
};

inline constexpr WireField kExecFields[] = {
    WIRE_NUMBER(exec_event, ts_ns),      WIRE_NUMBER(exec_event, since_ns),    WIRE_NUMBER(exec_event, cgroup),
    WIRE_NUMBER(exec_event, args_total), WIRE_NUMBER(exec_event, kind),        WIRE_NUMBER(exec_event, waits),
    WIRE_NUMBER(exec_event, tgid),       WIRE_NUMBER(exec_event, tid),         WIRE_NUMBER(exec_event, ppid),
    WIRE_NUMBER(exec_event, uid),        WIRE_NUMBER(exec_event, gid),         WIRE_NUMBER(exec_event, cpu),
    WIRE_NUMBER(exec_event, error),      WIRE_NUMBER(exec_event, dirfd),       WIRE_NUMBER(exec_event, exit_code),
    WIRE_NUMBER(exec_event, args_cut),   WIRE_NUMBER(exec_event, file_bytes),  WIRE_NUMBER(exec_event, interp_bytes),
    WIRE_NUMBER(exec_event, cwd_bytes),  WIRE_NUMBER(exec_event, cwd_whole),   WIRE_NUMBER(exec_event, exe_bytes),
    WIRE_NUMBER(exec_event, exe_whole),  WIRE_NUMBER(exec_event, exe_deleted), WIRE_NUMBER(exec_event, args_bytes),
    WIRE_TEXT(exec_event, comm),         WIRE_TEXT(exec_event, parent),        WIRE_TEXT(exec_event, text),
};
inline constexpr Wire kExecWire = {"exec", sizeof(exec_event), kExecFields};
inline constexpr std::string_view kExecLosses[] = {"end of a program not noted, no room",
                                                   "failed call of a 32-bit program"};

// The parts of a record's text. A recording may claim anything: what is beyond the text is empty.
class ExecParts {
 public:
  explicit ExecParts(const exec_event &e) : rest_(e.text, sizeof(e.text)) {
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

inline Value exec_path(std::string_view bytes, uint32_t whole, const char *behind) {
  if (bytes.empty() && whole == 0) return {};
  path_names names = {
      .bytes = static_cast<uint32_t>(std::min(bytes.size(), sizeof(path_names::names))), .whole = whole, .names = {}};
  bytes.copy(names.names, sizeof(names.names));
  return path_of(names) + behind;
}

// A failed execveat's file as the kernel calls it where it succeeds.
inline std::string exec_file(const exec_event &e, std::string_view name) {
  if (e.dirfd == AT_FDCWD || e.kind != EXEC_FAILED || name.starts_with('/')) return std::string(name);
  return "/dev/fd/" + std::to_string(e.dirfd) + (name.empty() ? "" : "/") + std::string(name);
}

inline Value exec_missing(const exec_event &e) {
  if (e.args_cut != 0) return {};
  return uint64_t{e.args_total > e.args_bytes ? e.args_total - e.args_bytes : 0};
}

inline std::string exec_args(const exec_event &e, std::string_view args) {
  const Value missing = exec_missing(e);
  const auto *bytes = std::get_if<uint64_t>(&missing);
  const std::string cut = bytes == nullptr ? "... (more)"
                          : *bytes > 0     ? "... (" + std::to_string(*bytes) + " bytes more)"
                                           : "";
  const std::string line = shell_line(args);
  return line + (line.empty() || cut.empty() ? "" : " ") + cut;
}

// An exec, and of one that waited for the end of its program that end.
struct ExecShown {
  const exec_event &exec;
  Value life_ns = {}, result = {}, exit_code = {}, signal = {};
};

inline void give_exec(const ExecShown &shown, Cells &cells, Names &names) {
  const exec_event &e = shown.exec;
  const ExecParts parts(e);
  const bool failed = e.kind == EXEC_FAILED;
  cells.number(e.ts_ns);
  cells.number(e.tgid);
  cells.number(e.tid);
  cells.number(e.ppid);
  cells.comm(e.parent);
  cells.number(e.uid);
  cells.number(e.gid);
  cells.number(e.cpu);
  cells.made([&] { return names.cgroup(e.cgroup); });
  cells.value(shown.life_ns);
  cells.value(failed && shown.result == Value() ? Value(errno_name(e.error)) : shown.result);
  cells.made_if(failed, [&] { return errno_name(e.error); });
  cells.value(shown.exit_code);
  cells.value(shown.signal);
  cells.made([&] { return exec_file(e, parts.file); });
  cells.text_if(!parts.interp.empty(), parts.interp);
  cells.made([&] { return exec_path(parts.exe, e.exe_whole, e.exe_deleted != 0 ? " (deleted)" : ""); });
  cells.made([&] { return exec_path(parts.cwd, e.cwd_whole, ""); });
  cells.comm(e.comm);
  cells.made([&] { return exec_args(e, parts.args); });
  cells.made([&] { return exec_missing(e); });
}

// Execs that wait for the end of their program, by process and time.
class ExecJoin {
 public:
  void operator()(const void *record, Names &names, const PutRecord &put) {
    if (record == nullptr) {
      put_rest("running", put);
      return;
    }
    const auto &e = *static_cast<const exec_event *>(record);
    if (e.since_ns != 0) end(e, put);
    if (e.kind != EXEC_FAILED && e.tgid != 0) put_unseen(e.tgid, put);
    if (e.kind == EXEC_ENDED) return;
    if (e.waits == 0) {
      const ExecShown shown = {.exec = e};
      put(&shown);
    } else {
      names.cgroup(e.cgroup);  // it may be gone at the end
      waiting_.insert_or_assign({e.tgid, e.ts_ns}, Kept(e));
    }
  }

 private:
  // A copy of a record, without the room that its text does not need.
  class Kept {
   public:
    explicit Kept(const exec_event &e) {
      const uint64_t text = uint64_t{e.file_bytes} + e.interp_bytes + e.cwd_bytes + e.exe_bytes + e.args_bytes;
      const auto *bytes = reinterpret_cast<const std::byte *>(&e);
      bytes_.assign(bytes, bytes + EXEC_HEADER + std::min<uint64_t>(text, EXEC_TEXT));
    }
    [[nodiscard]] const exec_event &event() const { return *reinterpret_cast<const exec_event *>(bytes_.data()); }

   private:
    std::vector<std::byte> bytes_;
  };
  using Waiting = std::map<std::pair<uint32_t, uint64_t>, Kept>;

  void end(const exec_event &e, const PutRecord &put) {
    const auto found = waiting_.find({e.tgid, e.since_ns});
    if (found == waiting_.end()) return;
    ExecShown shown = {.exec = found->second.event()};
    shown.life_ns = e.ts_ns - std::min<uint64_t>(e.ts_ns, e.since_ns);
    shown.result = e.kind == EXEC_ENDED ? wait_status_text(e.exit_code) : "exec";
    if (e.kind == EXEC_ENDED && (e.exit_code & 0x7f) == 0) shown.exit_code = uint64_t{e.exit_code >> 8 & 0xff};
    if (e.kind == EXEC_ENDED && (e.exit_code & 0x7f) != 0) shown.signal = signal_name(e.exit_code & 0x7f);
    put(&shown);
    waiting_.erase(found);
  }

  // A process has one program at a time: whatever else waits has ended, and its record was lost.
  void put_unseen(uint32_t tgid, const PutRecord &put) {
    auto it = waiting_.lower_bound({tgid, 0});
    while (it != waiting_.end() && it->first.first == tgid) {
      put_without_end(it->second.event(), "not seen", put);
      it = waiting_.erase(it);
    }
  }

  // In the order in which they began.
  void put_rest(const std::string &result, const PutRecord &put) {
    std::vector<const exec_event *> rest;
    for (const auto &[key, kept] : waiting_) rest.push_back(&kept.event());
    std::sort(rest.begin(), rest.end(), [](const auto *a, const auto *b) { return a->ts_ns < b->ts_ns; });
    for (const exec_event *e : rest) put_without_end(*e, result, put);
    waiting_.clear();
  }

  static void put_without_end(const exec_event &e, const std::string &result, const PutRecord &put) {
    const ExecShown shown = {.exec = e, .result = result};
    put(&shown);
  }

  Waiting waiting_;
};

inline Expand exec_join() {
  return [join = std::make_shared<ExecJoin>()](const void *record, Names &names, const PutRecord &put) {
    (*join)(record, names, put);
  };
}

}  // namespace strata
