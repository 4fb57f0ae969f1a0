// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/block_io.h"

#include "base/text.h"
#include "bpf/block_args.h"
#include "bpf/object.h"
#include "bpf/page_shift.h"
#include "kern/errno.h"
#include "kern/request.h"
#include "lib/block/io_wire.h"
#include "model/row_writer.h"
#include "run/resolver.h"
#include "run/session.h"
#include "run/view.h"

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

constexpr uint32_t kOperation = 0xff, kWrite = 1, kFlush = 2, kPreflush = 1U << 18;

// The block layer writes down a flush without data as an empty write.
uint32_t as_flush(uint32_t opf, uint32_t bytes) {
  const bool flush = bytes == 0 && (opf & kOperation) == kWrite && (opf & kPreflush);
  return flush ? (opf & ~(kOperation | kPreflush)) | kFlush : opf;
}

}  // namespace

const std::span<const Hook> kBlockIoHooks = kHooks;

void prepare_block_io(Object &object) {
  set_block_args(object);
  set_page_shift(object);
}

int trace_block_io(const Values &values, Session &session, Object &object) {
  prepare_block_io(object);
  object.set_constant("only_known", filters_tasks(session, false));
  choose_disk(values, object, DiskKind::kAny);
  return run_view(session, object);
}

std::string_view by_text(uint32_t by) {
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

std::string other_disk(const block_io &io, Resolver &resolver) {
  return io.other_dev != 0 ? resolver.disk(io.other_dev) : "";
}

std::string io_error(int32_t result) {
  return result < 0 ? errno_name(result) : block_status_name(static_cast<uint8_t>(result));
}

std::string io_pattern(uint32_t flags) {
  if (flags & IO_SEQUENTIAL) return "sequential";
  return flags & IO_RANDOM ? "random" : "";
}

void write_io_file(std::string_view name, uint32_t flags, uint32_t opf, RowWriter &out) {
  const bool of_device = flags & IO_OF_DEVICE;
  if (of_device) name = {};
  if (name.size() + 1 == sizeof(block_io::file)) return out.text(std::string(name) + "...");
  if (!name.empty()) return out.text(name);
  if (request_is_metadata(opf)) return out.text("(metadata)");
  of_device ? out.text("(device)") : out.none();
}

std::string io_text(const block_io &io, const std::string &other) {
  std::string text = request_letters(as_flush(io.opf, io.bytes));
  if (io.flags & IO_STACKED) {
    text += other.empty() ? " (stacked)" : " (on " + other + ")";
  } else if (!other.empty()) {
    text += " (for " + other + ")";
  }
  return io.result == 0 ? text : text + " " + io_error(io.result);
}

}  // namespace strata
