// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/write/hops.h"

#include <algorithm>

#include "base/text.h"
#include "follow/disk_fields.h"
#include "kern/errno.h"
#include "kern/path.h"
#include "kern/request.h"
#include "kern/syscall.h"

namespace strata {

namespace {

// Without a title the value speaks for itself in text.
constexpr Field kFile{.decode = {.type = Type::kText},
                      .key = "file",
                      .title = "FILE",
                      .help = "path as the caller sees it; not of a send or query"};
constexpr Field kOffset{.decode = {.type = Type::kInteger},
                        .key = "offset_bytes",
                        .title = "OFFSET",
                        .unit = Unit::kOffset,
                        .help = "in the file"};
constexpr Field kSize{.key = "size_bytes", .title = "SIZE", .unit = Unit::kBytes, .help = "what was written or read"};
constexpr Field kMode{.decode = {.type = Type::kText},
                      .key = "io_mode",
                      .title = "",
                      .help = "buffered, sync (durable at return), direct; async"};
constexpr Field kComm{.decode = {.type = Type::kText}, .key = "comm", .title = "BY", .help = "the caller's name"};
constexpr Field kTgid{
    .decode = {.type = Type::kInteger}, .key = "tgid", .title = "PID", .help = "the caller's process"};
constexpr Field kTid{
    .decode = {.type = Type::kInteger}, .key = "tid", .title = "TID", .help = "the caller's thread", .hidden = true};
constexpr Field kInode{
    .decode = {.type = Type::kInteger}, .key = "inode", .title = "INODE", .help = "inode number", .hidden = true};
constexpr Field kFileSystem{.decode = {.type = Type::kText},
                            .key = "fs_dev",
                            .title = "FS DEV",
                            .help = "device number of the file system",
                            .hidden = true};
constexpr Field kCall{
    .decode = {.type = Type::kText}, .key = "call", .title = "", .help = "the system call, where it is known"};
constexpr Field kReturn{.key = "return", .title = "RETURN", .help = "bytes written or read, or the error"};
constexpr Field kCause{
    .decode = {.type = Type::kText}, .key = "cause", .title = "FOR", .help = "why the bio was submitted"};
constexpr Field kStatus{
    .decode = {.type = Type::kText}, .key = "error", .title = "STATUS", .help = "error of the device"};
constexpr Field kObject{.decode = {.type = Type::kInteger},
                        .key = "request",
                        .title = "REQUEST",
                        .help = "a number for it: the same from insert to complete",
                        .hidden = true};

constexpr Field kAge{.key = "age_ns",
                     .title = "QUEUED BEFORE",
                     .unit = Unit::kNs,
                     .help = "how long before the call what somebody else does began"};
constexpr Field kTransaction{.decode = {.type = Type::kInteger},
                             .key = "transaction",
                             .title = "TRANSACTION",
                             .help = "the number of what the journal commits"};

struct Kind {
  std::string_view layer;
  std::string_view name;
};

constexpr std::string_view kSync = "fsync", kFileLayer = "file system", kLocked = "locked page", kCopy = "copy";

constexpr Kind kind_of(uint32_t kind) {
  switch (kind) {
    case HOP_ENTER:
      return {kSyscall, "enter"};
    case HOP_AGAIN:
      return {kSyscall, "enter again"};
    case HOP_LEAVE:
      return {kSyscall, "leave"};
    case HOP_DIRTY:
      return {kCache, "dirty"};
    case HOP_DROP:
      return {kCache, "drop"};
    case HOP_END_WRITEBACK:
      return {kCache, "end writeback"};
    case HOP_FALLOCATE:
      return {kCache, "fallocate"};
    case HOP_WRITE_INODE:
      return {kCache, "write inode"};
    case HOP_SYNC_ENTER:
      return {kSync, "enter"};
    case HOP_SYNC_LEAVE:
      return {kSync, "leave"};
    case HOP_BIO:
      return {kCache, "queue bio"};
    case HOP_REMAP:
      return {kBlock, "remap"};
    case HOP_BIO_COMPLETE:
      return {kDevice, "complete bio"};
    case HOP_SPLIT:
      return {kBlock, "split"};
    case HOP_MERGE:
      return {kBlock, "merge"};
    case HOP_GETRQ:
      return {kBlock, "get request"};
    case HOP_INSERT:
      return {kBlock, "insert"};
    case HOP_ISSUE:
      return {kBlock, "issue"};
    case HOP_REQUEUE:
      return {kBlock, "requeue"};
    case HOP_COMPLETE:
      return {kDevice, "complete"};
    case HOP_ADD:
      return {kCache, "add"};
    case HOP_SLEEP:
      return {kCache, "sleep"};
    case HOP_RUN:
      return {kWakeUp, "run"};
    case HOP_COMMIT_START:
      return {kJournal, "start commit"};
    case HOP_COMMIT_FLUSH:
      return {kJournal, "write ordered data"};
    case HOP_COMMIT_LOG:
      return {kJournal, "write journal"};
    case HOP_COMMIT_WAIT:
      return {kJournal, "wait for data"};
    case HOP_COMMIT_END:
      return {kJournal, "end commit"};
    default:
      return {"?", "?"};
  }
}

constexpr std::string_view cause_name(uint32_t cause) {
  switch (cause) {
    case CAUSE_WRITER:
      return "writer";
    case CAUSE_FSYNC:
      return "fsync";
    case CAUSE_BACKGROUND:
      return "background";
    case CAUSE_PERIODIC:
      return "periodic";
    case CAUSE_SYNC:
      return "sync";
    case CAUSE_RECLAIM:
      return "reclaim";
    case CAUSE_READER:
      return "reader";
    case CAUSE_COMMIT:
      return "commit";
    default:
      return "other";
  }
}

std::string mode_name(uint32_t flags) {
  const std::string mode = flags & CALL_DIRECT ? "direct" : flags & CALL_SYNC ? "sync" : "buffered";
  return flags & CALL_ASYNC ? mode + " async" : mode;
}

bool is_call_known(const follow_hop &hop) {
  return hop.call != 0 || (hop.kind == HOP_ENTER && hop.flags & CALL_NUMBERED);
}

bool is_commit(uint32_t kind) { return kind >= HOP_COMMIT_START && kind <= HOP_COMMIT_END; }
bool has_sectors(uint32_t kind) { return kind >= HOP_BIO && kind <= HOP_COMPLETE; }
bool is_flush_alone(const follow_hop &record) { return has_sectors(record.kind) && record.sectors == 0; }
bool has_bytes(uint32_t kind) {
  return kind == HOP_DIRTY || kind == HOP_DROP || kind == HOP_END_WRITEBACK || kind == HOP_BIO ||
         kind == HOP_FALLOCATE || kind == HOP_ADD;
}

void add_return(Hop &hop, const follow_hop &record) {
  if (record.result < 0)
    hop.fields.push_back({&kReturn, errno_name(record.result)});
  else
    hop.fields.push_back({&kReturn, int64_t{record.result}});
}

// Until an fsync begins, the bytes lie in the page cache.
std::string_view attributed_layer(const Hop &hop) {
  return hop.layer == kSync && hop.name.starts_with(kind_of(HOP_SYNC_ENTER).name) ? kCache : hop.layer;
}

constexpr const Outcome *kOutcomes[] = {&kCompleted, &kEmpty, &kNotWrittenBack, &kTruncated, &kFailed, &kLost};
constexpr std::string_view kDown[] = {kSyscall, kFileLayer, kCache, kBlock, kDevice, kSync};

// What a read does after the last wait is to copy.
std::string_view attributed_layer_of_read(const Hop &hop) { return hop.layer == kSyscall ? kCopy : hop.layer; }
constexpr const Outcome *kReadOutcomes[] = {&kCompleted, &kEmpty, &kNotReadYet, &kFailed, &kLost};
constexpr std::string_view kReadDown[] = {kSyscall, kFileLayer, kCache, kLocked, kBlock, kDevice, kWakeUp, kCopy};

}  // namespace

const Procedure kWriteProcedure = {.outcomes = kOutcomes, .layers = kDown, .attributed_layer = attributed_layer};
const Procedure kReadProcedure = {
    .outcomes = kReadOutcomes, .layers = kReadDown, .attributed_layer = attributed_layer_of_read};

std::string_view layer_of(const follow_hop &hop) {
  // An O_DIRECT bio never was in the page cache.
  if (hop.kind == HOP_BIO && hop.flags & BIO_DIRECT) return kFileLayer;
  return kind_of(hop.kind).layer;
}

bool is_sync_fs(const follow_hop &hop) {
  return (hop.kind == HOP_SYNC_ENTER || hop.kind == HOP_SYNC_LEAVE) && hop.mapping == 0;
}

std::string status_name(const follow_hop &hop) {
  if (hop.result < 0) return errno_name(hop.result);
  return block_status_name(static_cast<uint8_t>(hop.result));
}

Hop hop_of(const follow_hop &record, Disks &disks) {
  Hop hop{.layer = layer_of(record),
          .name = std::string(kind_of(record.kind).name),
          .ts_ns = record.ts_ns,
          .cpu = record.cpu,
          .tid = record.tid,
          .comm = cstr(record.comm)};
  if (is_sync_fs(record)) hop.name += " sync";
  if (is_call_known(record)) hop.fields.push_back({&kCall, syscall_name(record.call)});
  if (record.kind == HOP_LEAVE || record.kind == HOP_SYNC_LEAVE) add_return(hop, record);
  if (record.kind == HOP_BIO) hop.fields.push_back({&kCause, std::string(cause_name(record.cause))});
  if (has_bytes(record.kind) && !is_flush_alone(record)) {
    if (record.mapping != 0) hop.fields.push_back({&kOffset, uint64_t{record.lo}});
    hop.fields.push_back({&kHopIoBytes, uint64_t{record.hi - record.lo}});
  }
  if (is_commit(record.kind)) hop.fields.push_back({&kTransaction, uint64_t{record.id}});
  if (!has_sectors(record.kind)) return hop;
  if (record.dev != 0) hop.fields.push_back({&kHopDisk, disks.name(record.dev)});
  if (!is_flush_alone(record)) hop.fields.push_back({&kHopSector, uint64_t{record.sector}});
  if (!has_bytes(record.kind) && !is_flush_alone(record))
    hop.fields.push_back({&kHopIoBytes, uint64_t{record.sectors} * 512});
  if (record.kind == HOP_BIO || record.kind == HOP_ISSUE)
    hop.fields.push_back({&kHopIoFlags, request_text(record.opf)});
  if (record.kind >= HOP_INSERT) hop.fields.push_back({&kObject, uint64_t{record.object}});
  if ((record.kind == HOP_COMPLETE || record.kind == HOP_BIO_COMPLETE) && record.result != 0)
    hop.fields.push_back({&kStatus, status_name(record)});
  return hop;
}

void name_file(Hop &hop, const std::string &path) { hop.fields.push_back({&kFile, path}); }
void wait_for_other(Hop &hop) { hop.layer = kLocked; }
void wait_in(Hop &hop, uint32_t stage) { hop.layer = stage == HOP_RUN ? kCache : kind_of(stage).layer; }

void found_under_way(Hop &hop, std::string_view name, uint64_t now_ns) {
  hop.name = name;
  hop.fields.push_back({&kAge, now_ns - hop.ts_ns});
  hop.ts_ns = now_ns;
}

constexpr const Field *kOfSample[] = {&kCall, &kFile, &kOffset, &kSize,  &kMode,
                                      &kComm, &kTgid, &kTid,    &kInode, &kFileSystem};
constexpr const Field *kOfHop[] = {&kCall,       &kReturn, &kCause,  &kOffset, &kHopIoBytes,  &kHopDisk, &kHopSector,
                                   &kHopIoFlags, &kObject, &kStatus, &kAge,    &kTransaction, &kFile};
constexpr const Field *kOfSync[] = {&kCall, &kFile, &kComm, &kTgid, &kTid, &kInode, &kFileSystem};
const std::span<const Field *const> kSampleColumns = kOfSample, kHopColumns = kOfHop, kSyncColumns = kOfSync;

std::vector<NamedValue> sample_fields(const follow_start &start) {
  const follow_hop &hop = start.hop;
  return {
      {&kCall, is_call_known(hop) ? Value(syscall_name(hop.call)) : Value()},
      {&kFile, path_of(start.path)},
      {&kOffset, static_cast<int64_t>(hop.lo)},  // the caller's, which may be negative
      {&kSize, uint64_t{hop.hi - hop.lo}},
      {&kMode, mode_name(hop.flags)},
      {&kComm, cstr(hop.comm)},
      {&kTgid, uint64_t{hop.tgid}},
      {&kTid, uint64_t{hop.tid}},
      {&kInode, uint64_t{start.inode}},
      {&kFileSystem, std::to_string(kernel_major(start.fs_dev)) + ":" + std::to_string(kernel_minor(start.fs_dev))},
  };
}

std::vector<NamedValue> sync_fields(const follow_start &start) {
  std::vector<NamedValue> fields = sample_fields(start);
  std::erase_if(fields, [](const NamedValue &field) {
    return std::find(kSyncColumns.begin(), kSyncColumns.end(), field.column) == kSyncColumns.end();
  });
  return fields;
}

void set_range(Sample &sample, uint64_t lo, uint64_t hi) {
  for (NamedValue &field : sample.fields) {
    if (field.column == &kOffset) field.value = static_cast<int64_t>(lo);
    if (field.column == &kSize) field.value = hi - lo;
  }
}

}  // namespace strata
