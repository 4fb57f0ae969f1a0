// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/request.h"

#include <utility>

namespace strata {

namespace {

constexpr uint32_t kOperationBits = 8;

struct Flag {
  uint32_t bit;
  const char *name;
};

// enum req_flag_bits of include/linux/blk_types.h, the same from 5.10 on. What says nothing about the data
// (nomerge, polled, who allocated it) is left out.
constexpr Flag kFlags[] = {
    {17, "fua"},       {18, "preflush"},   {11, "sync"}, {12, "meta"},   {13, "prio"},
    {19, "readahead"}, {20, "background"}, {15, "idle"}, {21, "nowait"}, {16, "integrity"},
};

}  // namespace

// enum req_op, as far as its numbers are the same from 5.10 on: those of zones were changed.
std::string request_operation(uint32_t flags) {
  const uint32_t operation = flags & ((1U << kOperationBits) - 1);
  switch (operation) {
    case 0:
      return "read";
    case 1:
      return "write";
    case 2:
      return "flush";
    case 3:
      return "discard";
    case 5:
      return "secure_erase";
    case 9:
      return "write_zeroes";
    case 34:
      return "driver_in";
    case 35:
      return "driver_out";
    default:
      return "op " + std::to_string(operation);
  }
}

bool request_is_metadata(uint32_t flags) { return (flags >> 12 & 1) != 0; }

// As blk_fill_rwbs() of kernel/trace/blktrace.c.
std::string request_letters(uint32_t flags) {
  const auto has = [flags](uint32_t bit) { return (flags >> bit & 1) != 0; };
  std::string letters = has(18) ? "F" : "";
  switch (flags & ((1U << kOperationBits) - 1)) {
    case 0:
      letters += "R";
      break;
    case 1:
      letters += "W";
      break;
    case 2:
      letters += "F";
      break;
    case 3:
      letters += "D";
      break;
    case 5:
      letters += "DE";
      break;
    default:
      letters += "N";
  }
  for (const auto &[bit, letter] : {std::pair{17, 'F'}, {19, 'A'}, {11, 'S'}, {12, 'M'}})
    if (has(static_cast<uint32_t>(bit))) letters += letter;
  return letters;
}

std::string request_text(uint32_t flags) {
  std::string text = request_operation(flags);
  for (const Flag &flag : kFlags) {
    if (flags >> flag.bit & 1) text += std::string(" ") + flag.name;
  }
  return text;
}

}  // namespace strata
