// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Probes in functions of a library, in every file that holds it: what any process has mapped, in whatever container,
// what lies where such libraries usually are, what appears while the tool runs, and static programs that kept their
// symbols. Programs that cannot be probed are named. The BPF side's part is bpf/lib/user/program_starts.h. A file is
// known by device and inode, and its probes serve whatever program has it; where overlayfs shows one file as several,
// its second probe does nothing. A program that is gone before its files are looked at is a loss, unless what lies
// where it was is known.
//
// Rejected: perf's records of mappings (exact, but a wake-up for each); a scan of /proc in intervals (its cost grows
// with the host); the kernel's own filter for a process (until 6.10 it is one for a thread).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "bpf/ring.h"
#include "lib/user/program_starts_wire.h"
#include "model/field.h"
#include "sym/elf.h"
#include "sym/mapped.h"

namespace strata {

class Object;
class Session;

// A probe's cookie is 2 * the function's index, and 1 more in a 32-bit library. Without cookies (before 5.15) a
// function has hooks of its own, begin_NAME and begin32_NAME.
struct LibraryFunctions {
  std::string_view library;  // "C library", for people
  std::span<const std::string_view> names;
  std::string_view begin, end;                // hooks: a uprobe, a uretprobe
  bool (*is_library)(std::string_view file);  // by its name, without directories
  std::span<const std::string_view> usual;    // its paths, below any root directory
  uint32_t ended;                             // the loss of a program that is gone before its files are looked at
};

// Paths of C libraries, below any root directory.
inline constexpr std::string_view kUsualCLibraries[] = {
    "/lib/x86_64-linux-gnu/libc.so.6",  "/lib64/libc.so.6", "/lib/i386-linux-gnu/libc.so.6", "/lib32/libc.so.6",
    "/lib/aarch64-linux-gnu/libc.so.6", "/lib/libc.so.6",   "/lib/ld-musl-x86_64.so.1",      "/lib/ld-musl-i386.so.1",
    "/lib/ld-musl-aarch64.so.1",
};

// For load time: of the hooks those that this kernel takes.
void choose_library_hooks(Object &object, const LibraryFunctions &functions);

class LibraryProbes {
 public:
  // After attach() of the object, so that no program that begins from now on is missed. `files`: only these. Throws
  // Error.
  LibraryProbes(Session &session, Object &object, const LibraryFunctions &functions,
                std::span<const std::string> files);

 private:
  struct Waiting {  // a program whose libraries are not there yet
    program_start start;
    int ticks;
  };

  void probe_given(const std::string &path);
  void probe_command(const std::string &program);
  void probe_running();
  enum class Look { kDone, kLater, kGone };                          // kLater: its libraries are not there yet
  using Place = std::tuple<uint64_t, uint64_t, uint64_t, uint32_t>;  // a root directory in a state of its mounts

  bool probe_usual(const Fd &root);  // false: no such library has probes
  void probe_file(const Fd &file, const std::string &path);
  void probe_program(const Fd &program, const std::string &name);  // static: named if it cannot be
  bool attach(const ElfFile &elf, const Fd &file, const std::string &path);
  int attach_begins(const ElfFile &elf, std::span<const ElfFile::Function> functions, const std::string &path);
  Look look_at(uint32_t tgid);
  Look look_at_program(uint32_t tgid);
  void on_start(const program_start &start);
  void on_look(Look look, const program_start &start);
  void on_gone(const program_id &id);
  void on_tick();
  void keep_in_mind(const program_id &id);
  void forget();
  void name_unseen();
  [[nodiscard]] bool passes(uint32_t tgid) const;

  Session &session_;
  Object &object_;
  const LibraryFunctions &functions_;
  std::unique_ptr<Ring> starts_;
  std::set<FileId> files_, probed_;  // that were looked at; that have probes
  std::set<FileId> named_;           // programs that cannot be probed
  std::set<FileId> roots_;
  std::set<Place> covered_;  // a library was found where it usually is
  bool own_covered_ = false, command_began_ = false;
  FileId own_root_;
  uint32_t own_mounts_ = 0;
  std::vector<Waiting> waiting_;
  std::vector<program_id> looked_at_;
  std::vector<std::string> unseen_;  // programs that are still to be named
  int ticks_ = 0;
};

}  // namespace strata
