// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The system calls that send, for the programs of bpf/follow/send_syscalls.h.
#pragma once

namespace strata {

class Object;

// sendmmsg sends several messages: of datagrams the first is told apart, of a stream it is not.
void set_send_calls(Object &object, bool with_sendmmsg);

}  // namespace strata
