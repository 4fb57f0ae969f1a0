// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which code runs on the CPUs: samples by the kernel's timer, with the stack of the task that each interrupts. */
#include "core.h"

#include "profile.h"

#include "lib/core/filter.h"
#include "lib/core/table.h"
#include "lib/user/stack.h"

const volatile bool idle; /* samples of idle CPUs, too */

TABLE(samples, struct profile_key, struct profile_count, 16384);

SEC("perf_event") int cpu_clock__perf(struct stack_registers *ctx)
{
	static const struct profile_count zero;
	struct profile_key key = {};
	struct profile_count *n;

	if (!idle && !(__u32)bpf_get_current_pid_tgid())
		return 0;
	if (!filter_passes())
		return 0;
	key.tgid = filter_pid_tgid() >> 32;
	bpf_get_current_comm(key.comm, sizeof(key.comm));
	key.stack = stack_take(ctx);
	n = table_find(&samples, &key, &zero);
	if (n)
		__sync_fetch_and_add(&n->samples, 1);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
