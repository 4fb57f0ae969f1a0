// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Which stacks lead to a place: a tracepoint, a function of the kernel, or one of a program or library. A program for each way,
 * which is attached where the user says. Tracepoints are raw ones: those need a name alone, while others need their number, which
 * is in tracefs, and cost a perf event for each CPU.
 */
#include "core.h"

#include "stackcount.h"

#include "lib/core/filter.h"
#include "lib/core/table.h"
#include "lib/user/stack.h"

const volatile bool cookies, tracepoint_cookies; /* the kernel tells a program of this kind where it runs (5.15, 6.10) */

const volatile bool some_cpus;
const volatile __u64 cpus[CPUS / 64]; /* a bit for each */

TABLE(calls, struct call_key, struct call_count, 16384);

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); /* sized before loading */
	__type(key, __u32);
	__type(value, struct probe_name);
} probes SEC(".maps");

static __always_inline bool cpu_is_wanted(void)
{
	__u32 cpu = bpf_get_smp_processor_id();

	return !some_cpus || cpus[cpu / 64 & (CPUS / 64 - 1)] >> cpu % 64 & 1;
}

/* `here`: the registers of the code that is interrupted; NULL: it is in the kernel. */
static __always_inline int count_call(void *ctx, struct stack_registers *here, __u32 probe)
{
	static const struct call_count zero;
	struct call_key key = {};
	struct call_count *n;
	struct probe_name *name;

	if (!cpu_is_wanted() || !filter_passes())
		return 0;
	name = bpf_map_lookup_elem(&probes, &probe);
	if (name)
		key.probe = *name;
	key.tgid = filter_pid_tgid() >> 32;
	bpf_get_current_comm(key.comm, sizeof(key.comm));
	key.stack = stack_take_at(ctx, here);
	n = table_find(&calls, &key, &zero);
	if (n)
		__sync_fetch_and_add(&n->count, 1);
	return 0;
}

SEC("raw_tp") int tracepoint_hit__raw(void *ctx)
{
	return count_call(ctx, NULL, tracepoint_cookies ? bpf_get_attach_cookie(ctx) : 0);
}

SEC("kprobe") int kernel_call__kprobe(struct pt_regs *ctx)
{
	return count_call(ctx, NULL, cookies ? bpf_get_attach_cookie(ctx) : 0);
}

SEC("uprobe") int user_call__uprobe(struct pt_regs *ctx)
{
	return count_call(ctx, (struct stack_registers *)ctx, cookies ? bpf_get_attach_cookie(ctx) : 0);
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
