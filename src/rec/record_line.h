// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A record as a line of text and back: "hop ts_ns=812 id=1 comm=dd". A recording is such lines, so the golden tests are
// recordings that a person can read and write. Fields that are zero are left out.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/record.h"

namespace strata {

// Without the newline. The record has `size` bytes: less than type.size only where its last text ends early.
std::string to_line(const RecordType &type, const void *record, size_t size);

struct Record {
  const RecordType *type;
  std::vector<std::byte> bytes;  // type->size
};

template <typename T>
const T &as(const Record &record) {
  return *reinterpret_cast<const T *>(record.bytes.data());
}

// None of another type. Fields that the type does not have are skipped: a later version wrote them. Throws Error where
// the line is broken.
std::optional<Record> from_line(std::span<const RecordType *const> types, std::string_view line);

// "open ts_ns:u64 comm:text16", for the head of a recording.
std::string schema_line(const RecordType &type);

// Any text as a word without spaces and control characters ("%20"), and back; throws Error.
std::string escaped(std::string_view text);
std::string unescaped(std::string_view word);
std::string_view next_word(std::string_view &line);  // takes it from the line, up to a space

}  // namespace strata
