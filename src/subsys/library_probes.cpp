// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/library_probes.h"

#include <bpf/bpf.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "base/error.h"
#include "base/lines.h"
#include "base/outlet.h"
#include "base/text.h"
#include "bpf/object.h"
#include "bpf/uprobe.h"
#include "cli/values.h"
#include "kern/errno.h"
#include "run/session.h"
#include "subsys/process_filter.h"
#include "sym/elf.h"

namespace strata {
namespace {

constexpr uint64_t kTickNs = 100'000'000;
constexpr int kWaitTicks = 20;     // so long a program may take until it has its libraries
constexpr int kForgetTicks = 100;  // then a program is looked at again: its library may have been replaced
constexpr size_t kNamed = 12;      // programs, in one line

std::string own_path(const Fd &file) { return "/proc/self/fd/" + std::to_string(file.get()); }

std::string_view name_of_file(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string comm_of(uint32_t tgid) { return first_line("/proc/" + std::to_string(tgid) + "/comm"); }

std::string hook_of(const LibraryFunctions &functions, size_t name, bool narrow) {
  return std::string(narrow ? "begin32_" : "begin_") + std::string(functions.names[name]);
}

// Without uprobe_multi each place is one, and a host of many containers has many libraries.
void allow_descriptors() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

std::tuple<uint64_t, uint64_t, uint64_t, uint32_t> place_of(const program_id &id) {
  return {id.mounts, id.changes, id.root_ino, id.root_dev};
}

// As fstat(2) says a device that the kernel has as one number.
uint64_t user_dev(uint32_t dev) { return makedev(dev >> 20, dev & 0xfffff); }

}  // namespace

void choose_library_hooks(Object &object, const LibraryFunctions &functions) {
  const bool cookies = has_uprobe_cookies();
  object.enable(functions.begin, cookies);
  for (size_t i = 0; i < functions.names.size(); i++) {
    for (const bool narrow : {false, true}) object.enable(hook_of(functions, i, narrow), !cookies);
  }
}

LibraryProbes::LibraryProbes(Session &session, Object &object, const LibraryFunctions &functions,
                             std::span<const std::string> files)
    : session_(session), object_(object), functions_(functions) {
  allow_descriptors();
  for (const std::string &path : files) probe_given(path);
  if (!files.empty()) return;
  session.keep(kToAttach | kToSeeProcesses);
  starts_ = std::make_unique<Ring>(object.map_fd("program_starts"));
  const Fd root(open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  own_covered_ = probe_usual(root);
  own_root_ = file_id(root.get());
  struct stat mounts = {};
  if (stat("/proc/self/ns/mnt", &mounts) == 0) own_mounts_ = static_cast<uint32_t>(mounts.st_ino);
  probe_running();
  const auto drain = [this] {
    starts_->consume([this](const void *record, size_t size) {
      if (size >= sizeof(program_start)) on_start(*static_cast<const program_start *>(record));
    });
  };
  session.loop().watch(starts_->fd(), drain);
  session.loop().every(kTickNs, [this] { on_tick(); });
}

void LibraryProbes::probe_given(const std::string &path) {
  const Fd file = open_regular(path);
  if (!file && errno != ENOEXEC) throw system_error("cannot open the library " + printable(path));
  const ElfFile elf(file.get());
  if (!elf.valid()) throw Error("not a library or program that runs on this machine: " + printable(path));
  if (elf.functions(functions_.names).found.empty())
    throw Error(printable(path) + " has none of the functions " + comma_list(functions_.names) +
                " (a program without symbols?)");
  if (!attach(elf, file, path)) throw Error("cannot trace " + printable(path) + " (-v says more)");
}

// A static command has its functions from its first instruction on.
void LibraryProbes::probe_command(const std::string &program) {
  const char *path = getenv("PATH");
  std::string directories = program.find('/') == std::string::npos && path != nullptr ? path : "";
  for (size_t at = 0; at != std::string::npos;) {
    const size_t colon = directories.find(':', at);
    std::string candidate = directories.substr(at, colon - at);
    at = colon == std::string::npos ? colon : colon + 1;
    if (!candidate.empty()) candidate += '/';
    candidate += program;
    const Fd file = open_regular(candidate);
    if (!file) continue;
    const ElfFile elf(file.get());
    if (elf.valid() && !elf.interpreted()) probe_program(file, candidate);
    return;
  }
}

// Only with -p and with a command not all processes are looked at; those that the command starts are, as they begin.
void LibraryProbes::probe_running() {
  const Values &values = session_.values();
  if (!values.command().empty()) probe_command(values.command().front());
  name_unseen();
  for (const uint32_t tgid : processes_at_start(session_)) {
    const Fd root = open_root(tgid);
    if (root && roots_.insert(file_id(root.get())).second) probe_usual(root);
    if (look_at(tgid) == Look::kLater) waiting_.push_back({.start = {.id = {}, .tgid = tgid, .wanted = 0}, .ticks = 0});
  }
  name_unseen();
}

bool LibraryProbes::probe_usual(const Fd &root) {
  bool found = false;
  for (const std::string_view path : functions_.usual) {
    const Fd file = open_below(root, std::string(path));
    if (!file) continue;
    probe_file(file, std::string(path));
    found |= probed_.contains(file_id(file.get()));
  }
  return found;
}

void LibraryProbes::probe_file(const Fd &file, const std::string &path) {
  const FileId id = file_id(file.get());
  if (!files_.insert(id).second) return;
  const ElfFile elf(file.get());
  if (attach(elf, file, path)) probed_.insert(id);
}

// The end first: what begins has its end watched.
bool LibraryProbes::attach(const ElfFile &elf, const Fd &file, const std::string &path) {
  const auto [functions, why_not_all] = elf.functions(functions_.names);
  if (!why_not_all.empty()) {
    say("not all symbols of %s were read: %s\n", printable(path).c_str(), std::string(why_not_all).c_str());
  }
  if (functions.empty()) return false;
  std::vector<UprobePoint> points;
  points.reserve(functions.size());
  for (const auto &[name, offset] : functions) points.push_back({.offset = offset});
  int err = object_.attach_uprobes(functions_.end, own_path(file), points);
  if (err == 0) err = attach_begins(elf, functions, own_path(file));
  if (err != 0) {
    say("cannot trace %s: %s\n", printable(path).c_str(), errno_name(err).c_str());
  } else if (session_.values().given("verbose")) {
    say("library %s: %zu functions\n", printable(path).c_str(), points.size());
  }
  return err == 0;
}

int LibraryProbes::attach_begins(const ElfFile &elf, std::span<const ElfFile::Function> functions,
                                 const std::string &path) {
  std::vector<UprobePoint> points;
  for (const auto &[name, offset] : functions) {
    points.push_back({.offset = offset, .cookie = 2 * name + (elf.narrow() ? 1 : 0)});
    if (has_uprobe_cookies()) continue;
    const int err = object_.attach_uprobes(hook_of(functions_, name, elf.narrow()), path, {&points.back(), 1});
    if (err != 0) return err;
  }
  return has_uprobe_cookies() ? object_.attach_uprobes(functions_.begin, path, points) : 0;
}

LibraryProbes::Look LibraryProbes::look_at(uint32_t tgid) {
  bool has_library = false;
  for (const MappedFile &file : executable_mappings(tgid)) {
    if (!functions_.is_library(name_of_file(file.path))) continue;
    has_library = true;
    probe_file(open_mapped(tgid, file), file.path);
  }
  return has_library ? Look::kDone : look_at_program(tgid);
}

// A program without the library: static, or one that is about to get it.
LibraryProbes::Look LibraryProbes::look_at_program(uint32_t tgid) {
  const Fd program = open_program(tgid);
  if (!program) return Look::kGone;  // or a kernel thread
  const ElfFile elf(program.get());
  if (elf.valid() && elf.interpreted()) return Look::kLater;
  if (passes(tgid)) probe_program(program, program_path(tgid) + " (" + std::to_string(tgid) + ")");
  return Look::kDone;
}

void LibraryProbes::probe_program(const Fd &program, const std::string &name) {
  const FileId id = file_id(program.get());
  probe_file(program, name);
  if (!probed_.contains(id) && named_.insert(id).second) unseen_.push_back(name);
}

bool LibraryProbes::passes(uint32_t tgid) const {
  const Values &values = session_.values();
  return !values.given("comm") || std::ranges::count(values.texts("comm"), comm_of(tgid)) != 0;
}

void LibraryProbes::on_start(const program_start &start) {
  if (own_covered_ && !command_began_ && start.tgid == static_cast<uint32_t>(session_.command_pid())) {
    command_began_ = true;
    covered_.insert(place_of(start.id));
  }
  const Fd root = open_root(start.tgid);
  if (root && roots_.insert(file_id(root.get())).second) probe_usual(root);
  const Look look = look_at(start.tgid);
  // What lies there now, for programs that will be gone: a mount may have put it there since the root was seen.
  if (look != Look::kGone && root && !covered_.contains(place_of(start.id)) && probe_usual(root)) {
    covered_.insert(place_of(start.id));
  }
  on_look(look, start);
  if (look == Look::kLater) waiting_.push_back({.start = start, .ticks = 0});
  name_unseen();
}

void LibraryProbes::on_look(Look look, const program_start &start) {
  if (look == Look::kDone) keep_in_mind(start.id);
  if (look == Look::kGone && start.wanted != 0) on_gone(start.id);
}

// It may have had another library than those that are known.
void LibraryProbes::on_gone(const program_id &id) {
  const bool own =
      own_covered_ && id.mounts_inum == own_mounts_ && FileId{user_dev(id.root_dev), id.root_ino} == own_root_;
  if (!own && !covered_.contains(place_of(id))) object_.add_loss(functions_.ended);
}

void LibraryProbes::on_tick() {
  std::vector<Waiting> waiting;
  waiting.swap(waiting_);
  for (Waiting &one : waiting) {
    const Look look = look_at(one.start.tgid);
    on_look(look, one.start);
    if (look == Look::kLater && ++one.ticks < kWaitTicks) waiting_.push_back(one);
  }
  if (++ticks_ % kForgetTicks == 0) forget();
  name_unseen();
}

void LibraryProbes::keep_in_mind(const program_id &id) {
  constexpr uint8_t kOne = 1;
  if (id.ino != 0 && bpf_map_update_elem(object_.map_fd("programs_looked_at"), &id, &kOne, BPF_ANY) == 0) {
    looked_at_.push_back(id);
  }
}

void LibraryProbes::forget() {
  for (const program_id &id : looked_at_) bpf_map_delete_elem(object_.map_fd("programs_looked_at"), &id);
  looked_at_.clear();
  files_ = probed_;  // the kernel keeps those; the number of another file may become a new library's
  roots_.clear();
  covered_.clear();
}

void LibraryProbes::name_unseen() {
  if (unseen_.empty()) return;
  std::string names;
  const size_t named = session_.values().given("verbose") ? unseen_.size() : std::min(unseen_.size(), kNamed);
  for (size_t i = 0; i < named; i++) names += (names.empty() ? "" : ", ") + printable(unseen_[i]);
  if (named < unseen_.size()) names += " and " + std::to_string(unseen_.size() - named) + " more (-v names them)";
  say("not seen, static programs without symbols of the %s: %s\n", std::string(functions_.library).c_str(),
      names.c_str());
  unseen_.clear();
}

}  // namespace strata
