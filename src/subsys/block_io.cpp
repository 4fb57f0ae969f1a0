#include "subsys/block_io.h"

#include <unistd.h>

#include <cstddef>
#include <type_traits>

#include "bpf/block_args.h"
#include "bpf/object.h"
#include "kern/errno.h"
#include "kern/request.h"
#include "lib/block/io_wire.h"
#include "run/session.h"

namespace strata {
namespace {

constexpr std::string_view kNoDirtier = "who dirtied what writeback writes";
constexpr std::string_view kNoStack = "devices without requests, as those of the device mapper";

// Attached from the last to the first: what ends something before what begins it.
constexpr Hook kHooks[] = {
    {.name = "block_rq_issue"},
    {.name = "block_bio_queue", .required = false, .lost_without = kNoStack},
    {.name = "block_getrq"},
    {.name = "block_bio_frontmerge", .required = false, .lost_without = "who sent what was merged before another's"},
    {.name = "block_bio_remap", .required = false, .lost_without = "where a stacked device sends its I/O"},
    {.name = "block_bio_complete", .required = false, .lost_without = kNoStack},
    {.name = "block_rq_complete"},
    {.name = "writeback_dirty_folio",
     .required = false,
     .lost_without = kNoDirtier,
     .or_else = "writeback_dirty_page"},  // the name up to 5.15
    {.name = "writeback_dirty_page", .required = false},
};

constexpr std::string_view kLosses[] = {"no room to note an I/O", "completion not seen",
                                        "no room for who dirtied a page: shown as issued"};

constexpr WireField kFields[] = {
    WIRE_NUMBER(block_io, ts_ns),  WIRE_NUMBER(block_io, start_ns),  WIRE_NUMBER(block_io, issue_ns),
    WIRE_NUMBER(block_io, sector), WIRE_NUMBER(block_io, cgroup),    WIRE_NUMBER(block_io, bytes),
    WIRE_NUMBER(block_io, dev),    WIRE_NUMBER(block_io, other_dev), WIRE_NUMBER(block_io, opf),
    WIRE_NUMBER(block_io, result), WIRE_NUMBER(block_io, flags),     WIRE_NUMBER(block_io, by),
    WIRE_NUMBER(block_io, tgid),   WIRE_NUMBER(block_io, tid),       WIRE_NUMBER(block_io, issuer_tgid),
    WIRE_TEXT(block_io, comm),     WIRE_TEXT(block_io, issuer),
};

constexpr uint32_t kOperation = 0xff, kWrite = 1, kFlush = 2, kPreflush = 1U << 18;

// The block layer writes down a flush without data as an empty write.
uint32_t as_flush(uint32_t opf, uint32_t bytes) {
  const bool flush = bytes == 0 && (opf & kOperation) == kWrite && (opf & kPreflush);
  return flush ? (opf & ~(kOperation | kPreflush)) | kFlush : opf;
}

}  // namespace

const std::span<const Hook> kBlockIoHooks = kHooks;
const std::span<const std::string_view> kBlockIoLosses = kLosses;
const Wire kBlockIoWire = {"io", sizeof(block_io), kFields};

void prepare_block_io(Object &object) {
  set_block_args(object);
  object.set_knob("page_shift", static_cast<uint32_t>(__builtin_ctzl(static_cast<uint64_t>(getpagesize()))));
}

void prepare_block_io(const Session &session, Object &object) {
  prepare_block_io(object);
  object.set_knob("only_known", filters_tasks(session, false));
  choose_disk(session.values(), object, DiskKind::kAny);
}

std::string by_text(uint32_t by) {
  switch (by) {
    case BY_ISSUED:
      return "issued";
    case BY_DIRTIED:
      return "dirtied";
    default:
      return "unknown";
  }
}

std::string io_operation(uint32_t opf, uint32_t bytes) { return request_operation(as_flush(opf, bytes)); }

std::string io_flags(uint32_t opf, uint32_t bytes) {
  const std::string all = request_text(as_flush(opf, bytes));
  const size_t operation = io_operation(opf, bytes).size();
  return all.size() > operation ? all.substr(operation + 1) : "";
}

std::string io_error(int32_t result) {
  return result < 0 ? errno_name(result) : block_status_name(static_cast<uint8_t>(result));
}

std::string io_pattern(uint32_t flags) {
  if (flags & IO_SEQUENTIAL) return "sequential";
  return flags & IO_RANDOM ? "random" : "";
}

std::string io_text(const block_io &io, const std::string &other) {
  std::string text = io_operation(io.opf, io.bytes);
  if (const std::string flags = io_flags(io.opf, io.bytes); !flags.empty()) text += " " + flags;
  if (io.flags & IO_STACKED) {
    text += other.empty() ? " (stacked)" : " (stacked on " + other + ")";
  } else if (!other.empty()) {
    text += " (for " + other + ")";
  }
  return io.result == 0 ? text : text + " " + io_error(io.result);
}

IoTimes io_times(uint64_t start_ns, uint64_t issue_ns, uint64_t end_ns) {
  const auto between = [](uint64_t from, uint64_t to) {
    return from == 0 ? Value() : Value(to > from ? to - from : 0);
  };
  if (issue_ns == 0) return {.queue = {}, .device = between(start_ns, end_ns)};
  return {.queue = between(start_ns, issue_ns), .device = between(issue_ns, end_ns)};
}

}  // namespace strata
