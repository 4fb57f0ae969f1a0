// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "allocators.h"

#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <utility>

#include "base/error.h"
#include "base/lines.h"
#include "base/outlet.h"
#include "base/program.h"
#include "base/text.h"
#include "bpf/object.h"
#include "cli/option.h"
#include "cli/values.h"
#include "kern/errno.h"
#include "run/session.h"
#include "subsys/library_probes.h"
#include "subsys/process_filter.h"
#include "sym/elf.h"

namespace strata {
namespace {

// As --functions names what a function is like, in the order of enum memory_call.
constexpr std::string_view kCalls[MEMORY_CALLS] = {"malloc",   "calloc",         "realloc", "reallocarray",
                                                   "memalign", "posix_memalign", "free"};

struct Usual {
  memory_call call;
  std::string_view names;  // separated by '|'
  bool cpp = false;
};
// Functions that say whose allocator a file has: jemalloc, tcmalloc, mimalloc. Operator new of libstdc++ calls
// malloc(), theirs do not. An exception cannot pass a function whose return is probed: the unwinder does not know where
// that goes. So bad_alloc, thrown by operator new, would end the program, and libstdc++'s is left alone.
constexpr std::string_view kOwners[] = {"mallctl", "tc_version", "mi_version"};

constexpr Usual kUsual[] = {
    {CALL_MALLOC, "malloc|valloc|pvalloc|mallocx"},
    {CALL_CALLOC, "calloc"},
    {CALL_REALLOC, "realloc|rallocx"},
    {CALL_REALLOCARRAY, "reallocarray"},
    {CALL_MEMALIGN, "memalign|aligned_alloc"},
    {CALL_POSIX_MEMALIGN, "posix_memalign"},
    {CALL_FREE, "free|cfree|free_sized|free_aligned_sized|dallocx|sdallocx"},
    // operator new and delete.
    {CALL_MALLOC,
     "_Znwm|_Znam|_ZnwmRKSt9nothrow_t|_ZnamRKSt9nothrow_t|_ZnwmSt11align_val_t|_ZnamSt11align_val_t|"
     "_ZnwmSt11align_val_tRKSt9nothrow_t|_ZnamSt11align_val_tRKSt9nothrow_t",
     true},
    {CALL_FREE,
     "_ZdlPv|_ZdaPv|_ZdlPvm|_ZdaPvm|_ZdlPvRKSt9nothrow_t|_ZdaPvRKSt9nothrow_t|_ZdlPvSt11align_val_t|"
     "_ZdaPvSt11align_val_t|_ZdlPvmSt11align_val_t|_ZdaPvmSt11align_val_t|_ZdlPvSt11align_val_tRKSt9nothrow_t|"
     "_ZdaPvSt11align_val_tRKSt9nothrow_t",
     true},
};

memory_call call_like(std::string_view name) {
  const auto *const found = std::find(std::begin(kCalls), std::end(kCalls), name);
  if (found == std::end(kCalls))
    throw usage_error(
        "--functions takes NAME=LIKE,..., LIKE being malloc, calloc, realloc, reallocarray, memalign, "
        "posix_memalign or free, not '" +
        printable(name) + "'");
  return static_cast<memory_call>(found - std::begin(kCalls));
}

std::string own_path(const Fd &file) { return "/proc/self/fd/" + std::to_string(file.get()); }
std::string comm_of(uint32_t tgid) { return first_line("/proc/" + std::to_string(tgid) + "/comm"); }

}  // namespace

std::vector<Allocators::Function> Allocators::functions_of(const std::string &words) {
  std::vector<Function> functions;
  for (const std::string_view word : words.empty() ? std::vector<std::string_view>() : split_commas(words)) {
    const size_t at = word.find('=');
    const std::string_view name = word.substr(0, at);
    if (name.empty()) throw usage_error("--functions: '" + printable(word) + "' names no function");
    functions.push_back(
        {.name = std::string(name), .call = call_like(at == std::string::npos ? name : word.substr(at + 1))});
  }
  if (!functions.empty()) return functions;
  for (const Usual &usual : kUsual)
    for (const std::string_view name : words_of(usual.names))
      functions.push_back({.name = std::string(name), .call = usual.call, .cpp = usual.cpp});
  return functions;
}

Allocators::Allocators(Session &session, Object &object)
    : session_(session),
      object_(object),
      functions_(functions_of(session.values().text("functions"))),
      passes_(process_filter(session, object)) {
  choose_allocator_hooks(object);
  session.keep(kToAttach | kToSeeProcesses);
}

namespace {

void enable_hooks(Object &object, bool one_for_all, bool one_for_each) {
  object.enable("allocation_begin", one_for_all);
  for (const std::string_view call : kCalls)
    if (call != kCalls[CALL_FREE]) object.enable("begin_" + std::string(call), one_for_each);
}

}  // namespace

void choose_allocator_hooks(Object &object) { enable_hooks(object, has_uprobe_cookies(), !has_uprobe_cookies()); }

void leave_out_blocks(Object &object) {
  enable_hooks(object, false, false);
  object.enable({"allocation_end", "free_begin", "program_begins", "child_begins"}, false);
  object.set_max_entries("began", 1);
}

void Allocators::look_at(uint32_t tgid, std::span<const CodeMapping> mappings) {
  forget_ended();
  if (mappings.empty()) {  // of the command nothing is missed (look_at_command)
    if (tgid != static_cast<uint32_t>(session_.traced_command())) object_.add_loss(LOSS_UNTRACED);
    return;
  }
  const std::string comm = comm_of(tgid);
  if (!passes_(tgid, comm)) return;
  comms_[tgid] = comm;
  bool found = false;
  for (const CodeMapping &mapping : mappings) {
    if (mapping.file.empty() || mapping.file.front() == '[') continue;
    const auto [at, is_new] = mapped_.try_emplace(mapping.file, nullptr);
    if (is_new) at->second = file_of(open_mapped(tgid, mapping.place()), mapping.place().path);
    if (at->second == nullptr) continue;
    found = true;
    attach(tgid, *at->second);
  }
  if (!found) count_unseen(open_program(tgid));
}

// Of a static program, or one of 32 bits: another is about to get its libraries.
void Allocators::count_unseen(const Fd &program) {
  const ElfFile elf(program.get());
  if (!elf.valid() || (elf.interpreted() && !elf.narrow()) || !unseen_.insert(file_id(program.get())).second) return;
  object_.add_loss(LOSS_ALLOCATOR);
}

// It may be static, or its C library is where it usually is: then nothing is missed of them.
void Allocators::look_at_command() {
  if (session_.traced_command() == 0) return;
  const auto tgid = static_cast<uint32_t>(session_.traced_command());
  std::string program;
  std::vector<std::string> paths(std::begin(kUsualCLibraries), std::end(kUsualCLibraries));
  if (find_program(session_.values().command().front(), program) == 0) paths.push_back(program);
  for (const std::string &path : paths) {
    if (File *file = file_of(open_regular(path), path))
      attach(tgid, *file);
    else if (path == program)
      count_unseen(open_regular(path));
  }
}

Allocators::File *Allocators::file_of(Fd file, const std::string &path) {
  if (!file) return nullptr;
  const auto [at, is_new] = files_.try_emplace(file_id(file.get()));
  File &one = at->second;
  if (is_new) {
    std::vector<std::string_view> names;
    for (const Function &function : functions_) names.push_back(function.name);
    names.insert(names.end(), std::begin(kOwners), std::end(kOwners));
    const ElfFile elf(file.get());
    const auto [found, why_not_all] = elf.functions(names);
    if (!why_not_all.empty())
      say("not all symbols of %s were read: %s\n", printable(path).c_str(), std::string(why_not_all).c_str());
    const bool owned = std::ranges::any_of(found, [&](const auto &it) { return it.name >= functions_.size(); });
    for (const auto &[name, offset] : found)
      if (!elf.narrow() && name < functions_.size() && (owned || !functions_[name].cpp))
        one.points[functions_[name].call].push_back({.offset = offset, .cookie = functions_[name].call});
    one.path = path;
    if (std::ranges::any_of(one.points, [](const auto &points) { return !points.empty(); })) one.file = std::move(file);
  }
  return one.file ? &one : nullptr;
}

void Allocators::attach(uint32_t tgid, File &file) {
  if (!attached_[tgid].insert(&file).second) return;
  const int err = attach_points(tgid, file);
  found_ |= err == 0;
  if (err == 0 || kill(static_cast<pid_t>(tgid), 0) != 0) return;
  object_.add_loss(LOSS_UNTRACED);
  if (!std::exchange(file.refused, true))
    say("cannot trace %s: %s\n", printable(file.path).c_str(), errno_name(err).c_str());
}

// What frees first: a block that is seen when it is allocated is seen when it is freed.
int Allocators::attach_points(uint32_t tgid, const File &file) {
  const std::string path = own_path(file.file);
  std::vector<UprobePoint> all;
  for (const auto &points : file.points)
    if (&points != &file.points[CALL_FREE]) all.insert(all.end(), points.begin(), points.end());
  const std::vector<UprobePoint> &frees = file.points[CALL_FREE];
  int err = frees.empty() ? 0 : object_.attach_uprobes("free_begin", path, frees, tgid);
  if (err != 0 || all.empty()) return err;
  err = object_.attach_uprobes("allocation_end", path, all, tgid);
  if (err != 0) return err;
  if (has_uprobe_cookies()) return object_.attach_uprobes("allocation_begin", path, all, tgid);
  for (uint32_t call = 0; call < CALL_FREE && err == 0; call++)
    if (!file.points[call].empty())
      err = object_.attach_uprobes("begin_" + std::string(kCalls[call]), path, file.points[call], tgid);
  return err;
}

// Before another process has its number.
void Allocators::forget_ended() {
  std::erase_if(attached_, [&](const auto &one) {
    if (kill(static_cast<pid_t>(one.first), 0) == 0 || errno != ESRCH) return false;
    object_.detach_uprobes(one.first);
    return true;
  });
}

// As --functions may have named it.
void Allocators::settle() {
  if (!found_ && unseen_.empty() && !comms_.empty()) object_.add_loss(LOSS_ALLOCATOR);
}

std::string Allocators::comm(uint32_t tgid) const {
  const auto found = comms_.find(tgid);
  return found == comms_.end() ? "" : found->second;
}

}  // namespace strata
