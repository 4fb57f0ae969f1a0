// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// How other suites (bcc, libbpf-tools) spell what our tools of the same name can do, too: options that are taken as
// ours, that ask for what is there anyway, or that are refused with our own. Options of ours come first: where theirs
// has our letter, ours is meant, and a value that cannot be ours is refused with the same sentence.
//
// One table and not a part of each tool: most rows are of many tools, and none is a tool's own matter.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace strata {

struct Peer {
  std::string_view tools;         // "biolatency|runqlat"; or "*"
  std::string_view spellings;     // without dashes: "m|milliseconds"
  std::string_view ours = {};     // what it is taken as: "--by=process"; "--match=", "--output=text:" with its value
  std::string_view met = {};      // or why it asks for nothing more: "each time has its unit"
  std::string_view values = {};   // of such a one: it has a value, one of these or any ("*"), which says nothing new
  std::string_view instead = {};  // or the sentence that refuses it
  // Of an option of ours with this letter: values that are theirs for certain; kWords: they have none, and what begins
  // with no digit is the next word, or the next letters.
  enum class Values : uint8_t { kNone, kNumbers, kPaths, kCommands, kFiles, kWords } theirs = Values::kNone;
};

// Those of all tools are about the filters for tasks.
std::vector<Peer> peers_of(std::string_view tool, bool has_filters);
bool is_spelled(const Peer &peer, std::string_view spelling);
bool is_theirs(const Peer &peer, std::string_view value);
// Of one that has `values`, by the option as it was typed; throws Error.
bool is_value(const Peer &peer, std::string_view typed, std::string_view value);

}  // namespace strata
