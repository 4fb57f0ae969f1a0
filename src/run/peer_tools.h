// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Tools of other suites (bcc, libbpf-tools, bpftrace), by name, and what of ours answers the same question. None is run
// under a name that is not ours: a link is declared by its tool (run/tool.h).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

struct PeerTool {
  std::string_view name;
  std::string_view ours;       // without "strata": "cachestat --by process"
  std::string_view note = {};  // what the reader should know
};

extern const std::span<const PeerTool> kPeerTools;
std::vector<std::string_view> unanswered_tools();  // the others

// " (strata cachestat --by process)", or nothing, to end a message with.
std::string answer_of(std::string_view name);
// Without what packages put behind: cachetop of cachetop-bpfcc, cachetop.bt.
std::string_view bare_name(std::string_view name);
std::string answer_text(const PeerTool &peer);  // "strata cachestat --by process"

}  // namespace strata
