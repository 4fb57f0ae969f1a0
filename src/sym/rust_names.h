// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Names of Rust's functions as they are written: of the scheme "v0" (_R...), and of the one before it, which is C++'s
// with a hash and escapes.
//
// Rejected: libiberty's demangler, which writes a hostile name of 200 bytes for seconds, since parts of a name can be
// repeated; a bound of what it writes is no bound of what it does.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace strata {

// "alloc::vec::Vec<u8>::push"; nullopt of what is none, or too long: then the caller has only the name as it is.
std::optional<std::string> rust_name(std::string_view mangled, size_t most_bytes);

// "core::fmt::write" of "core::fmt::write::h01234567890abcdef", which is what the demangler of C++ makes of the old
// scheme; other names as they are.
std::string without_rust_hash(std::string name);

}  // namespace strata
