/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The system calls that send, for whichever sockets begin_send() takes. */
#pragma once

#include "compat.h"
#include "core.h"

#include "lib/core/arg.h"
#include "lib/core/tracepoint.h"
#include "lib/net/accept_call.h"
#include "send_calls.h"

const volatile __u8 calls[512]; /* of each system call number: 1 + the place of its descriptor, or 0 */

int begin_send(__u64 sk, __u32 nr);
int abandon_send(void); /* the end of this thread's sampled call was not seen */
int end_send(__s64 ret, __u32 nr);

/* Is the call that begins here to be looked at? */
static __always_inline bool call_chosen(void)
{
	if (n_calls)
		abandon_send();
	return chosen();
}

__noinline int begin_syscall(__u64 regs, __u32 nr, __u32 place)
{
	if (is_compat_syscall())
		return 0;
	return begin_send((__u64)sock_of_fd(place == 3 ? syscall_arg(regs, 2) : syscall_arg(regs, 0)), nr);
}

TRACEPOINT(sys_enter, struct pt_regs *regs, long nr)
{
	__u32 place = nr >= 0 && nr < 512 ? calls[nr] : 0;

	return place && call_chosen() ? begin_syscall(arg(ctx, 0), nr, place) : 0;
}

TRACEPOINT(sys_exit, struct pt_regs *regs, long ret)
{
	return n_calls ? end_send(ret, syscall_nr(arg(ctx, 0))) : 0;
}
