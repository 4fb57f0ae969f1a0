// What the tools that show each block I/O's cause have in common: the hooks of bpf/lib/block/io.h, their knobs, the
// words.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "bpf/variant.h"
#include "model/column.h"
#include "rec/wire.h"
#include "subsys/block.h"  // kDiskOption is theirs too

struct block_io;

namespace strata {

class Object;
class Session;

extern const std::span<const Hook> kBlockIoHooks;
extern const std::span<const std::string_view> kBlockIoLosses;

extern const Wire kBlockIoWire;  // a struct block_io

void prepare_block_io(Object &object);                          // what depends on the kernel; for a Blueprint too
void prepare_block_io(const Session &session, Object &object);  // and --disk and the common filters; throws Error

std::string by_text(uint32_t by);                        // "issued", "dirtied", "unknown"
std::string io_operation(uint32_t opf, uint32_t bytes);  // "read"; a write of nothing with a flush is a "flush"
std::string io_flags(uint32_t opf, uint32_t bytes);      // "sync meta"
std::string io_pattern(uint32_t flags);                  // "sequential", "random", "" for the first of a disk
std::string io_error(int32_t result);                    // "EIO", "" for success

// All of it in the words above: "write sync fua (stacked on sda) EIO". `other` is the name of other_dev, "" for none.
std::string io_text(const block_io &io, const std::string &other);

// Queue and device time, empty where they are not known or do not exist. All of a stacked device's time, and of a flush
// without data, is device time.
struct IoTimes {
  Value queue, device;
};
IoTimes io_times(uint64_t start_ns, uint64_t issue_ns, uint64_t end_ns);

}  // namespace strata
