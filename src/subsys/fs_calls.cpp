// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/fs_calls.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "bpf/object.h"
#include "btf/kernel_types.h"
#include "cli/values.h"
#include "kern/file_system.h"
#include "kern/syscall.h"
#include "lib/fs/names.h"

namespace strata {

namespace {

#define FS_PAIR(op, n) \
  {.name = #op "_enter_" #n, .required = false}, { .name = #op "_leave_" #n, .required = false }
#define FS_HOOKS(n) FS_PAIR(read, n), FS_PAIR(write, n), FS_PAIR(open, n), FS_PAIR(fsync, n)
constexpr Hook kHooks[] = {{.name = "sys_enter"}, {.name = "sys_exit"}, FS_HOOKS(0),      FS_HOOKS(1),     FS_HOOKS(2),
                           FS_HOOKS(3),           FS_HOOKS(4),          FS_HOOKS(5),      FS_HOOKS(6),     FS_HOOKS(7),
                           FS_HOOKS(8),           FS_PAIR(copy, 0),     FS_PAIR(copy, 1), FS_PAIR(copy, 2)};
constexpr uint32_t kSlots = 9;          // FS_HOOKS of bpf/lib/fs/calls.h: all file systems but overlay
constexpr uint32_t kFileOps = FS_COPY;  // those before it have functions of file systems

constexpr std::pair<const char *, uint32_t> kCalls[] = {
    {"read", FS_READ},
    {"pread64", FS_READ | FS_POSITIONED},
    {"readv", FS_READ},
    {"preadv", FS_READ | FS_POSITIONED},
    {"preadv2", FS_READ | FS_POSITIONED | FS_OR_POSITION},
    {"write", FS_WRITE},
    {"pwrite64", FS_WRITE | FS_POSITIONED},
    {"writev", FS_WRITE},
    {"pwritev", FS_WRITE | FS_POSITIONED},
    {"pwritev2", FS_WRITE | FS_POSITIONED | FS_OR_POSITION},
    {"open", FS_OPEN},
    {"creat", FS_OPEN},
    {"openat", FS_OPEN},
    {"openat2", FS_OPEN},
    {"open_by_handle_at", FS_OPEN},
    {"fsync", FS_FSYNC},
    {"fdatasync", FS_FSYNC},
    {"copy_file_range", FS_COPY},
    {"sendfile", FS_COPY | FS_OUT_FIRST},
    {"splice", FS_COPY},
};

// In the order of FS_COPY_CALL in bpf/lib/fs/calls.h.
#if defined(__x86_64__)
constexpr const char *kCopyFunctions[] = {"__x64_sys_copy_file_range", "__x64_sys_sendfile64", "__x64_sys_splice"};
#elif defined(__aarch64__)
constexpr const char *kCopyFunctions[] = {"__arm64_sys_copy_file_range", "__arm64_sys_sendfile64",
                                          "__arm64_sys_splice"};
#endif
static_assert(std::size(kCopyFunctions) == FS_COPY_CALLS);

struct Wanted {
  std::array<bool, FS_TYPES> type;
  std::array<bool, FS_OPS> op;
  bool named = false;  // types were asked for by name
};

const char *function_of(const FileSystem &fs, uint32_t op) {
  return std::array{fs.read, fs.write, fs.open, fs.fsync}[op];
}

// Marks those of `names` that are in `texts`: all of them if there is none.
template <typename Names, size_t n>
void mark(std::array<bool, n> &marks, const std::vector<std::string> &texts, const char *option, const Names &names) {
  marks.fill(texts.empty());
  for (const std::string &text : texts) {
    bool known = false;
    for (size_t i = 0; i < n; ++i) {
      if (names(i) == text) known = marks[i] = true;
    }
    if (known) continue;
    std::string all;
    for (size_t i = 0; i < n; ++i) {
      if (i == 0 || names(i) != names(i - 1)) all += (i == 0 ? "" : ", ") + std::string(names(i));
    }
    throw usage_error("--" + std::string(option) + " takes one of " + all + ", not '" + printable(text) + "'");
  }
}

Wanted all_wanted() {
  Wanted wanted;
  wanted.type.fill(true);
  wanted.op.fill(true);
  return wanted;
}

Wanted wanted_by(const Values &values) {
  Wanted wanted;
  mark(wanted.type, values.texts("type"), "type", [](size_t i) { return file_system_name(static_cast<uint32_t>(i)); });
  mark(wanted.op, values.texts("op"), "op", [](size_t i) { return kFsOps[i]; });
  wanted.named = !values.texts("type").empty();
  return wanted;
}

// Leaves out what this kernel has not registered: to ask for its functions means to read all symbols.
void drop_absent(Wanted &wanted, const Values *values) {
  const auto registered = registered_file_systems();
  if (registered.empty()) return;
  for (size_t i = 0; i < FS_TYPES; ++i) {
    wanted.type[i] = wanted.type[i] && registered.count(file_systems()[i].registered) > 0;
  }
  if (!wanted.named || std::find(wanted.type.begin(), wanted.type.end(), true) != wanted.type.end()) return;
  throw Error("no file system here is of type " + values->texts("type").front() +
              ": it is not in /proc/filesystems (is its module loaded?)");
}

std::string hook(std::string_view op, const char *end, uint32_t slot) {
  return std::string(op) + end + std::to_string(slot);
}

void enable_slot(Object &object, uint32_t op, uint32_t slot, bool on) {
  for (const char *end : {"_enter_", "_leave_"}) object.enable(hook(kFsOps[op], end, slot), on);
}

// Names the functions that this kernel has, and turns the other hooks off. All at once: Object chooses anew after
// each change.
void set_targets(Object &object, const Wanted &wanted) {
  for (uint32_t slot = 0; slot < kSlots; ++slot) {
    for (uint32_t op = 0; op < kFileOps; ++op) {
      const char *function = function_of(file_systems()[slot], op);
      const bool on = function && wanted.type[slot] && wanted.op[op] && has_function(function);
      enable_slot(object, op, slot, on);
      if (!on) continue;
      for (const char *end : {"_enter_", "_leave_"}) object.set_target(hook(kFsOps[op], end, slot), function);
    }
  }
  for (uint32_t call = 0; call < FS_COPY_CALLS; ++call) {
    const bool on = wanted.op[FS_COPY] && has_function(kCopyFunctions[call]);
    enable_slot(object, FS_COPY, call, on);
    if (!on) continue;
    for (const char *end : {"_enter_", "_leave_"}) object.set_target(hook("copy", end, call), kCopyFunctions[call]);
  }
}

bool taken(Object &object, uint32_t op, uint32_t slot) {
  return object.variant(hook(kFsOps[op], "_enter_", slot)) && object.variant(hook(kFsOps[op], "_leave_", slot));
}

// True if the host permits the functions of every type that was named, or of any if none was. Copies have their own,
// which all file systems share.
bool take_functions(Object &object, const Wanted &wanted) {
  set_targets(object, wanted);
  std::vector<std::pair<uint32_t, uint32_t>> halves;  // a beginning without an end, or the other way round
  bool any = false, all = true, copies = false;
  for (uint32_t call = 0; call < FS_COPY_CALLS; ++call) {
    if (taken(object, FS_COPY, call))
      copies = true;
    else
      halves.emplace_back(FS_COPY, call);
  }
  if (std::find(wanted.op.begin(), wanted.op.begin() + kFileOps, true) == wanted.op.begin() + kFileOps) {
    for (const auto &[op, slot] : halves) enable_slot(object, op, slot, false);
    return copies;
  }
  for (uint32_t slot = 0; slot < kSlots; ++slot) {
    bool some = false;
    for (uint32_t op = 0; op < kFileOps; ++op) {
      if (taken(object, op, slot))
        some = true;
      else
        halves.emplace_back(op, slot);
    }
    any |= some;
    if (wanted.type[slot] && file_systems()[slot].write && !some) all = false;
  }
  for (const auto &[op, slot] : halves) enable_slot(object, op, slot, false);
  return any && (all || !wanted.named);
}

void take_syscalls(Object &object) {
  for (uint32_t slot = 0; slot < kSlots; ++slot) {
    for (uint32_t op = 0; op < kFileOps; ++op) enable_slot(object, op, slot, false);
  }
  for (uint32_t call = 0; call < FS_COPY_CALLS; ++call) enable_slot(object, FS_COPY, call, false);
}

// The system calls that are wanted, and the file systems: of all operations, or by functions of copies alone.
void set_calls(Object &object, const Wanted &wanted) {
  std::array<uint8_t, 512> calls{};
  std::array<uint64_t, FS_TYPES> magics{};
  for (const auto &[name, op] : kCalls) {
    const int64_t number = syscall_number(name);
    if (!wanted.op[op & FS_OP_MASK] || number < 0 || number >= static_cast<int64_t>(calls.size())) continue;
    calls[static_cast<size_t>(number)] |= static_cast<uint8_t>(op + 1);
    for (const size_t number32 : syscall32_numbers(name)) calls[number32] |= FS_32BIT;
  }
  for (size_t i = 0; i < FS_TYPES; ++i) magics[i] = wanted.type[i] ? file_systems()[i].magic : 0;
  object.set_constant("fs_calls", calls);
  object.set_constant("fs_magics", magics);
}

void choose(Object &object, const Wanted &wanted, std::string_view via) {
  set_calls(object, wanted);
  const bool permitted = via != "syscalls" && (host().has(Need::kFentry) || host().has(Need::kKprobe));
  if (permitted && take_functions(object, wanted)) {
    object.enable({"sys_enter", "sys_exit"}, false);
    return;
  }
  if (via == "functions") {
    throw Error(permitted
                    ? "cannot measure by functions: this kernel has none that can be traced, for what is asked for"
                    : "cannot measure by functions: " + host().missing(Need::kFentry));
  }
  take_syscalls(object);
}

}  // namespace

const std::span<const Hook> kFsHooks = kHooks;

void choose_fs_calls(Object &object, const Values &values) {
  Wanted wanted = wanted_by(values);
  drop_absent(wanted, &values);
  choose(object, wanted, values.text("via"));
}

void choose_all_fs_calls(Object &object) {
  Wanted wanted = all_wanted();
  drop_absent(wanted, nullptr);
  choose(object, wanted, "auto");
}

std::vector<std::string> fs_type_names() {
  std::set<std::string> names;  // several entries may be of one type
  for (const FileSystem &fs : file_systems()) names.emplace(fs.type);
  return {names.begin(), names.end()};
}

std::string_view fs_op_name(uint32_t op) { return op < std::size(kFsOps) ? kFsOps[op] : "?"; }

}  // namespace strata
