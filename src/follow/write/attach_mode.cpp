// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/write/attach_mode.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <vector>

#include "base/error.h"
#include "bpf/block_args.h"
#include "bpf/page_shift.h"
#include "btf/kernel_types.h"
#include "follow/follow.h"
#include "follow/fsync/tracker.h"
#include "follow/read/tracker.h"
#include "follow/write/tracker.h"
#include "kern/file_system.h"
#include "kern/syscall.h"

namespace strata {

namespace {

constexpr std::string_view kNoSync = "which fsync waited for a sample";
constexpr std::string_view kNoSyncFs = "whether sync made inline data durable";
constexpr std::string_view kNoCause = "whether the flusher wrote for age or for too many dirty pages";
constexpr std::string_view kNoStamp = "this hop";
constexpr std::string_view kNoCommit = "what the journal of ext4 commits";

constexpr Hook kHooks[] = {
    {.name = "sys_enter", .skipped = kWriteSkipped},
    {.name = "sys_exit"},
    {.name = "write_enter_0", .required = false, .skipped = kWriteSkipped},
    {.name = "write_enter_1", .required = false, .skipped = kWriteSkipped},
    {.name = "write_enter_2", .required = false, .skipped = kWriteSkipped},
    {.name = "write_enter_3", .required = false, .skipped = kWriteSkipped},
    {.name = "write_enter_4", .required = false, .skipped = kWriteSkipped},
    {.name = "write_leave_0", .required = false},
    {.name = "write_leave_1", .required = false},
    {.name = "write_leave_2", .required = false},
    {.name = "write_leave_3", .required = false},
    {.name = "write_leave_4", .required = false},
    {.name = "sync_enter_0", .required = false, .lost_without = kNoSync},
    {.name = "sync_enter_1", .required = false, .lost_without = kNoSync},
    {.name = "sync_enter_2", .required = false, .lost_without = kNoSync},
    {.name = "sync_enter_3", .required = false, .lost_without = kNoSync},
    {.name = "sync_enter_4", .required = false, .lost_without = kNoSync},
    {.name = "sync_leave_0", .required = false, .lost_without = kNoSync},
    {.name = "sync_leave_1", .required = false, .lost_without = kNoSync},
    {.name = "sync_leave_2", .required = false, .lost_without = kNoSync},
    {.name = "sync_leave_3", .required = false, .lost_without = kNoSync},
    {.name = "sync_leave_4", .required = false, .lost_without = kNoSync},
    {.name = "sync_inodes", .required = false, .lost_without = kNoSyncFs},
    {.name = "sync_fs_0", .required = false, .lost_without = kNoSyncFs},
    {.name = "sync_fs_1", .required = false, .lost_without = kNoSyncFs},
    {.name = "sync_fs_2", .required = false, .lost_without = kNoSyncFs},
    {.name = "sync_fs_3", .required = false, .lost_without = kNoSyncFs},
    {.name = "sync_fs_4", .required = false, .lost_without = kNoSyncFs},
    {.name = "writeback_single_inode", .required = false, .lost_without = kNoSyncFs},
    {.name = "writeback_dirty_folio",
     .required = false,
     .lost_without = "the folios that were dirtied",
     .or_else = "writeback_dirty_page"},  // the name up to 5.15
    {.name = "writeback_dirty_page", .required = false},
    {.name = "mm_filemap_delete_from_page_cache"},
    {.name = "mm_filemap_add_to_page_cache"},
    {.name = "sched_switch", .required = false, .lost_without = "when a read slept"},
    {.name = "fallocate", .required = false, .lost_without = "bytes that fallocate() cut out of a page"},
    {.name = "writeback_single_inode_start", .required = false, .lost_without = kNoCause},
    {.name = "end_writeback", .required = false, .lost_without = "the end of writeback"},
    {.name = "block_bio_queue"},
    {.name = "block_bio_remap"},
    {.name = "block_bio_complete"},
    {.name = "block_split", .required = false, .lost_without = kNoStamp},
    {.name = "block_getrq", .required = false, .lost_without = kNoStamp},
    {.name = "block_bio_backmerge", .required = false, .lost_without = kNoStamp},
    {.name = "block_bio_frontmerge", .required = false, .lost_without = kNoStamp},
    {.name = "block_rq_insert", .required = false, .lost_without = kNoStamp},
    {.name = "block_rq_issue", .required = false, .lost_without = kNoStamp},
    {.name = "block_rq_requeue", .required = false, .lost_without = kNoStamp},
    {.name = "block_rq_complete"},
    {.name = "jbd2_start_commit", .required = false, .lost_without = kNoCommit, .struct_needed = "journal_s"},
    {.name = "jbd2_commit_flushing", .required = false, .lost_without = kNoCommit, .struct_needed = "journal_s"},
    {.name = "jbd2_commit_logging", .required = false, .lost_without = kNoCommit, .struct_needed = "journal_s"},
    {.name = "jbd2_end_commit", .required = false, .lost_without = kNoCommit, .struct_needed = "journal_s"},
    {.name = "folio_wait_writeback",
     .required = false,
     .lost_without = "whose data the journal of ext4 waited for",
     .or_else = "wait_on_page_writeback"},  // the name up to 5.15
    {.name = "wait_on_page_writeback", .required = false},
};

enum class Calling : uint8_t { kWrites, kReads, kFsyncs };

constexpr auto hooks_with(std::string_view skipped) {
  std::array<Hook, std::size(kHooks)> hooks{};
  std::copy(std::begin(kHooks), std::end(kHooks), hooks.begin());
  for (Hook &hook : hooks) {
    if (hook.skipped == kWriteSkipped) hook.skipped = skipped;
  }
  return hooks;
}
constexpr auto kHooksOfReads = hooks_with(kReadSkipped), kHooksOfFsyncs = hooks_with(kFsyncSkipped);

// What only some need. Whoever has to do with a read or an fsync has to do with it before it returns.
constexpr std::string_view kOfReads[] = {"mm_filemap_add_to_page_cache"};
constexpr std::string_view kWithinCalls[] = {"sched_switch"};
constexpr std::string_view kOfFsyncs[] = {"jbd2_start_commit", "jbd2_commit_flushing", "jbd2_commit_logging",
                                          "jbd2_end_commit",   "folio_wait_writeback", "wait_on_page_writeback"};
constexpr std::string_view kOfWrites[] = {
    "writeback_dirty_folio",        "writeback_dirty_page",   "mm_filemap_delete_from_page_cache",
    "writeback_single_inode_start", "writeback_single_inode",
};

// Those whose calls reach a device of their own; the last one is the device's own file.
struct Calls {
  std::string_view type;
  const char *call, *sync;
};
std::vector<Calls> followable(bool reading) {
  std::vector<Calls> all;
  for (const char *type : {"ext4", "xfs", "btrfs", "f2fs"}) {
    const FileSystem &fs = *find_file_system(type);
    all.push_back({fs.registered, reading ? fs.read : fs.write, fs.fsync});
  }
  all.push_back({"", reading ? "blkdev_read_iter" : "blkdev_write_iter", "blkdev_fsync"});
  return all;
}
constexpr int kSlots = 5;  // WRITE_HOOKS of bpf/follow/follow.bpf.c

// Newest first: 6.18 calls the first on the way of the second; 5.10 has only the last.
constexpr const char *kEndWriteback[] = {"folio_end_writeback_no_dropbehind", "folio_end_writeback",
                                         "end_page_writeback"};

constexpr const char *kCallHooks[] = {"write_enter_", "write_leave_", "sync_enter_", "sync_leave_", "sync_fs_"};

void enable_slot(Object &object, int slot, bool on) {
  for (const char *hook : kCallHooks) object.enable(hook + std::to_string(slot), on);
}

// To ask for the functions of one that the kernel lacks means to read all symbols.
bool may_be_in_use(const Calls &fs, const std::set<std::string, std::less<>> &registered) {
  return fs.type.empty() || registered.empty() || registered.count(fs.type) > 0;
}

// Of those that have data without bios. To ask for one that xfs lacks means to read all symbols.
void take_sync_fs(Object &object, const std::string &slot, const Calls &fs) {
  const std::string function = std::string(fs.type) + "_sync_fs";
  const bool there = !fs.type.empty() && fs.type != "xfs" && has_function(function.c_str());
  object.enable("sync_fs_" + slot, there);
  if (there) object.set_target("sync_fs_" + slot, function);
}

void take_syncs(Object &object, const std::string &slot, const Calls &fs) {
  object.set_target("sync_enter_" + slot, fs.sync);
  object.set_target("sync_leave_" + slot, fs.sync);
  take_sync_fs(object, slot, fs);
}

void disable_syncs(Object &object, const std::string &slot) {
  for (const char *hook : {"sync_enter_", "sync_leave_", "sync_fs_"}) object.enable(hook + slot, false);
}

// Returns the names of the functions that samples begin at, empty if the host permits none.
std::string use_functions(Object &object, bool reading) {
  const auto registered = registered_file_systems();
  std::string names;
  int slot = 0;
  for (const Calls &fs : followable(reading)) {
    if (slot == kSlots || !may_be_in_use(fs, registered) || !has_function(fs.call)) continue;
    const std::string n = std::to_string(slot);
    object.set_target("write_enter_" + n, fs.call);
    object.set_target("write_leave_" + n, fs.call);
    if (reading)
      disable_syncs(object, n);
    else
      take_syncs(object, n, fs);
    if (object.variant("write_enter_" + n) == nullptr || object.variant("write_leave_" + n) == nullptr) continue;
    names += (names.empty() ? "" : ", ") + std::string(fs.call);
    ++slot;
  }
  for (; slot < kSlots; ++slot) enable_slot(object, slot, false);
  return names;
}

bool take_function(Object &object, const char *hook, const char *function) {
  object.set_target(hook, function);
  return object.variant(hook) != nullptr;
}

// By BTF first: what it lacks is looked for among all symbols, which takes longer.
bool take_end_of_writeback(Object &object) {
  for (const char *function : kEndWriteback) {
    if (has_typed_function(function) && take_function(object, "end_writeback", function)) return true;
  }
  for (const char *function : kEndWriteback) {
    if (has_function(function) && take_function(object, "end_writeback", function)) return true;
  }
  object.enable("end_writeback", false);
  return false;
}

// What functions alone tell of what becomes of a write.
void disable_ends(Object &object) { object.enable({"end_writeback", "fallocate", "sync_inodes"}, false); }

// Of the kernel's system call table, a follow_call each.
void set_call_table(Object &object, Calling kind) {
  using Named = std::pair<const char *, follow_call>;
  constexpr Named kReads[] = {
      {"read", CALL_WRITE},     {"pread64", CALL_PWRITE},   {"readv", CALL_WRITEV},
      {"preadv", CALL_PWRITEV}, {"preadv2", CALL_PWRITEV2}, {"sendfile", CALL_SENDFILE},
      {"splice", CALL_SPLICE},  {"io_submit", CALL_SUBMIT}, {"io_uring_enter", CALL_SUBMIT},
  };
  constexpr Named kFsyncs[] = {{"fsync", CALL_FSYNC}, {"fdatasync", CALL_FSYNC}};
  constexpr Named kWrites[] = {
      {"write", CALL_WRITE},         {"pwrite64", CALL_PWRITE},   {"writev", CALL_WRITEV},
      {"pwritev", CALL_PWRITEV},     {"pwritev2", CALL_PWRITEV2}, {"sendfile", CALL_SENDFILE},
      {"splice", CALL_SPLICE},       {"fsync", CALL_FSYNC},       {"fdatasync", CALL_FSYNC},
      {"fallocate", CALL_FALLOCATE}, {"io_submit", CALL_SUBMIT},  {"io_uring_enter", CALL_SUBMIT},
      {"sync", CALL_SYNC_ALL},       {"syncfs", CALL_SYNC_FS},
  };
  std::array<uint8_t, 512> table{};
  std::span<const Named> named = kWrites;
  if (kind == Calling::kReads) named = kReads;
  if (kind == Calling::kFsyncs) named = kFsyncs;
  for (const auto &[name, call] : named) {
    const int64_t number = syscall_number(name);
    if (number >= 0 && number < static_cast<int64_t>(table.size())) table[number] = call;
  }
  object.set_constant("calls", table);
}

follow_attach_mode use_tracepoints(Object &object, Calling kind) {
  for (int slot = 0; slot < kSlots; ++slot) enable_slot(object, slot, false);
  disable_ends(object);
  set_call_table(object, kind);
  const char *text = kind == Calling::kWrites ? "tracepoints: from the system call to the completion of the request"
                                              : "tracepoints: the system call";
  return attach_mode_of(text, false);
}

// Not sys_enter and sys_exit: an fsync that began must be seen to end, and proves what was written before.
constexpr std::string_view kPath[] = {
    "write_enter_0", "write_enter_1", "write_enter_2", "write_enter_3", "write_enter_4",         "write_leave_0",
    "write_leave_1", "write_leave_2", "write_leave_3", "write_leave_4", "writeback_dirty_folio", "writeback_dirty_page",
};

constexpr std::string_view kReadPath[] = {
    "write_enter_0",
    "write_enter_1",
    "write_enter_2",
    "write_enter_3",
    "write_enter_4",
    "write_leave_0",
    "write_leave_1",
    "write_leave_2",
    "write_leave_3",
    "write_leave_4",
    "mm_filemap_add_to_page_cache",
    "sched_switch",
};

constexpr std::string_view kFsyncPath[] = {"sched_switch"};

// What programs are for, and what differs by kernel in any mode.
void prepare(Object &object, Calling kind) {
  set_block_args(object);
  set_page_shift(object);
  object.set_constant("reading", kind == Calling::kReads);
  object.set_constant("fsyncing", kind == Calling::kFsyncs);
  object.enable(kOfReads, kind == Calling::kReads);
  object.enable(kOfWrites, kind == Calling::kWrites);
  object.enable(kOfFsyncs, kind == Calling::kFsyncs);
  object.enable(kWithinCalls, kind != Calling::kWrites);
}

follow_attach_mode choose(Object &object, std::string_view via, Calling kind) {
  const bool reading = kind == Calling::kReads;
  prepare(object, kind);
  if (via == "tracepoints") return use_tracepoints(object, kind);
  const bool permitted = host().has(Need::kFentry) || host().has(Need::kKprobe);
  const std::string functions = permitted ? use_functions(object, reading) : "";
  if (functions.empty()) {
    if (via == "functions") throw Error("cannot follow by functions: " + host().missing(Need::kFentry));
    return use_tracepoints(object, kind);
  }
  object.enable({"sys_enter", "sys_exit"}, false);
  if (reading) {
    disable_ends(object);
    return attach_mode_of("functions: " + functions, false);
  }
  object.set_target("fallocate", "vfs_fallocate");
  object.set_target("sync_inodes", "sync_inodes_sb");
  const bool until_writeback = take_end_of_writeback(object);
  object.set_constant("until_writeback", until_writeback);
  const char *end = until_writeback ? " to the end of writeback" : " to the completion of the request";
  return attach_mode_of("functions: from " + functions + end, until_writeback);
}

}  // namespace

const std::span<const Hook> kWriteHooks = kHooks, kReadHooks = kHooksOfReads, kFsyncHooks = kHooksOfFsyncs;
const std::span<const std::string_view> kWritePathHooks = kPath, kReadPathHooks = kReadPath,
                                        kFsyncPathHooks = kFsyncPath;

follow_attach_mode choose_write_mode(Object &object, std::string_view via) {
  return choose(object, via, Calling::kWrites);
}
follow_attach_mode choose_read_mode(Object &object, std::string_view via) {
  return choose(object, via, Calling::kReads);
}

// Functions would add the fsync of io_uring, msync and O_SYNC writes, and nothing to what is seen of one.
follow_attach_mode choose_fsync_mode(Object &object, std::string_view via) {
  if (via == "functions")
    throw usage_error("fsync is followed by tracepoints alone: functions would tell nothing more of it");
  prepare(object, Calling::kFsyncs);
  return use_tracepoints(object, Calling::kFsyncs);
}

}  // namespace strata
