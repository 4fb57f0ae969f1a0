// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the tools that show each block I/O's cause have in common: the hooks of bpf/lib/block/io.h, their constants,
// the words.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "bpf/variant.h"
#include "subsys/block.h"  // kDiskOption is theirs too

struct block_io;

namespace strata {

class Object;
class Resolver;
class RowWriter;
class Session;

extern const std::span<const Hook> kBlockIoHooks;
inline constexpr std::string_view kBlockIoLosses[] = {"no room to note an I/O", "completion not seen",
                                                      "no room for who dirtied a page: shown as issued"};

void prepare_block_io(Object &object);  // what depends on the kernel; for a Programs
int trace_block_io(const Values &values, Session &session,
                   Object &object);  // and --disk and the common filters; for a Tool

std::string_view by_text(uint32_t by);                           // "issued", "dirtied", "unknown"
std::string io_operation(uint32_t opf, uint32_t bytes);          // "read"; a write of nothing with a flush is a "flush"
std::string io_flags(uint32_t opf, uint32_t bytes);              // "sync meta"
std::string io_pattern(uint32_t flags);                          // "sequential", "random", "" for the first of a disk
std::string io_error(int32_t result);                            // "EIO", "" for success
std::string other_disk(const block_io &io, Resolver &resolver);  // its name, "" if there is none

// The name of its file, of a longer one the beginning; what no name says is in parentheses; none if it is not known.
// The arguments are those of a block_io: of `flags` IO_OF_DEVICE, of `opf` REQ_META.
void write_io_file(std::string_view name, uint32_t flags, uint32_t opf, RowWriter &out);

// All of it, in the letters of blktrace: "WFS (on sda) EIO". `other` is the name of other_dev, "" for none.
std::string io_text(const block_io &io, const std::string &other);

}  // namespace strata
