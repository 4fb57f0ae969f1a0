// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which code runs on the CPUs: samples by the kernel's timer, with the stack of the task that each interrupts. */
#include "core.h"

#include "profile.h"

#include "lib/core/filter.h"
#include "lib/core/table.h"
#include "lib/user/stack.h"

const volatile bool idle; /* samples of idle CPUs, too */
const volatile __u32 by; /* enum profile_by */
const volatile __u64 wall_shift_ns; /* from the monotonic clock to the wall clock, less than PROFILE_TIME_NS */

TABLE(samples, struct profile_key, struct profile_count, 16384);

static __always_inline void set_by(struct profile_key *key)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	__u64 now;

	key->by = by;
	if (by & PROFILE_BY_PRIO)
		key->prio = BPF_CORE_READ(task, prio);
	if (by & PROFILE_BY_CPU)
		key->cpu = bpf_get_smp_processor_id();
	if (by & (PROFILE_BY_CGROUP | PROFILE_BY_OWNER))
		key->cgroup = bpf_get_current_cgroup_id();
	if (by & PROFILE_BY_TID)
		key->tid = (__u32)filter_pid_tgid();
	if (by & PROFILE_BY_TIME) {
		now = bpf_ktime_get_ns();
		key->time_ns = now - (now + wall_shift_ns) % PROFILE_TIME_NS;
	}
}

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
	set_by(&key);
	key.stack = stack_take(ctx);
	n = table_find(&samples, &key, &zero);
	if (n)
		__sync_fetch_and_add(&n->samples, 1);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
