// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/query/unix_server.h"

#include <sys/stat.h>

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "base/text.h"
#include "bpf/object.h"
#include "follow/write/root.h"

namespace strata {
namespace {

// Of a server's connections; what it asks of others by TCP is seen at the other hooks of TCP.
constexpr std::string_view kOfTcpServers[] = {"tcp_probe", "tcp_retransmit_skb", "tcp_destroy_sock"};
constexpr std::string_view kTracepoints[] = {"sk_data_ready", "sock_recv_length"};
constexpr std::string_view kFunctions[] = {"sock_def_readable", "unix_stream_recvmsg"};

}  // namespace

void set_unix_server(Object &object, const std::string &path, follow_attach_mode &mode) {
  struct stat st = {};
  if (stat(path.c_str(), &st) != 0) throw system_error("cannot follow queries to --path " + printable(path));
  if (!S_ISSOCK(st.st_mode)) throw Error("--path " + printable(path) + " is no socket");
  set_root(object, path, mode);
  object.enable(kOfTcpServers, false);
  object.enable(kTracepoints, true);
  const bool traced =
      std::ranges::all_of(kTracepoints, [&](std::string_view hook) { return object.variant(hook) != nullptr; });
  object.enable(kTracepoints, traced);
  object.enable(kFunctions, !traced);
  object.enable("unix_release", true);
  mode = attach_mode_of(traced ? "tracepoints: from the client's send to its read of the answer"
                               : "functions: from the client's send to its read of the answer",
                        false);
}

}  // namespace strata
