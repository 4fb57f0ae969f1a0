// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Memory that processes allocate and do not free: each block that is outstanding is in `blocks`, by its address, with its size
 * and the stack that allocated it. There are no sums to race: user space reads each block once, and adds.
 *
 * A block is there from the return of the function that allocated it, and is gone before the one that frees it begins: in
 * between nobody else can have its address. So realloc() takes the old one away first, and puts it back if it fails.
 * Functions that allocate call each other (calloc, operator new): the outermost call of a thread counts, as in gethostlatency.
 * The stack is taken at its return, from its caller on, which needs nothing to be known of the allocator's own code.
 */
#include "core.h"

#include "memleak.h"

#include "growth.h"
#include "kernel.h"
#include "lib/core/filter.h"
#include "lib/core/filter_task.h"
#include "lib/core/start.h"
#include "lib/user/stack_caller.h"
#include "lib/user/user_call.h"
#include "wanted.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1); /* sized before loading */
	__type(key, struct block_key);
	__type(value, struct block);
} blocks SEC(".maps");

/* When a process began to run its program, or was forked: blocks that are older are not its own, though it has its number. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, __u32);
	__type(value, __u64);
} began SEC(".maps");

/* Blocks that were freed, but not seen when they were allocated: before the run, or by other functions. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} freed_unseen SEC(".maps");

/* Of a thread, of a function that allocates and has not returned. */
struct allocation {
	__u32 tid; /* 0: none */
	__u32 call; /* enum memory_call */
	__u64 sp; /* at its first instruction */
	__u64 bytes;
	__u64 wanted;
	__u64 where; /* of posix_memalign() */
	__u64 old; /* of realloc(), if it was known; 0: none */
	struct block old_block;
	__u64 freed; /* what the thread freed last: operator delete calls free() */
};

static struct allocation allocations[START_LINES];

/* Does a call at this place belong to the one that is under way? It may have jumped to it as its last step. */
static __always_inline bool is_inner(const struct allocation *a, __u64 sp)
{
	return sp <= a->sp && user_call_is_open(a->sp, false);
}

static __always_inline struct block_key block_key(__u64 address)
{
	struct block_key key = {.address = address, .tgid = filter_pid_tgid() >> 32};

	return key;
}

/* Whichever thread frees it: -t and -c are about who allocates. */
static __always_inline void take_old(struct allocation *a, __u64 address)
{
	struct block_key key = block_key(address);
	struct block *known = bpf_map_lookup_elem(&blocks, &key);
	__u32 zero = 0;
	__u64 *unseen;

	if (known) {
		a->old = a->freed = address;
		a->old_block = *known;
		bpf_map_delete_elem(&blocks, &key);
		return;
	}
	unseen = bpf_map_lookup_elem(&freed_unseen, &zero);
	if (unseen && address != a->freed)
		__sync_fetch_and_add(unseen, 1);
}

static __always_inline void keep(__u64 address, const struct block *block)
{
	struct block_key key = block_key(address);

	if (bpf_map_update_elem(&blocks, &key, block, BPF_ANY))
		count_loss(LOSS_BLOCK);
}

static __always_inline __u64 bytes_of(struct pt_regs *ctx, const __u32 call)
{
	switch (call) {
	case CALL_MALLOC:
		return PT_REGS_PARM1(ctx);
	case CALL_CALLOC:
		return PT_REGS_PARM1(ctx) * PT_REGS_PARM2(ctx);
	case CALL_REALLOCARRAY:
		return PT_REGS_PARM2(ctx) * PT_REGS_PARM3(ctx);
	case CALL_POSIX_MEMALIGN:
		return PT_REGS_PARM3(ctx);
	default:
		return PT_REGS_PARM2(ctx);
	}
}

static __always_inline int begin(struct pt_regs *ctx, const __u32 call)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct allocation *a = &allocations[START_LINE(tid)];
	__u64 sp = PT_REGS_SP(ctx), old = PT_REGS_PARM1(ctx);

	if (a->tid == tid && is_inner(a, sp))
		return 0;
	start_save(&a->tid, tid);
	a->call = call;
	a->sp = sp;
	a->bytes = bytes_of(ctx, call);
	a->wanted = filter_passes();
	a->where = old;
	a->old = 0;
	if ((call == CALL_REALLOC || call == CALL_REALLOCARRAY) && old)
		take_old(a, old);
	a->freed = 0;
	return 0;
}

SEC("uprobe") int allocation_begin__uprobe(struct pt_regs *ctx)
{
	switch (bpf_get_attach_cookie(ctx)) {
	case CALL_MALLOC:
		return begin(ctx, CALL_MALLOC);
	case CALL_CALLOC:
		return begin(ctx, CALL_CALLOC);
	case CALL_REALLOC:
		return begin(ctx, CALL_REALLOC);
	case CALL_REALLOCARRAY:
		return begin(ctx, CALL_REALLOCARRAY);
	case CALL_MEMALIGN:
		return begin(ctx, CALL_MEMALIGN);
	default:
		return begin(ctx, CALL_POSIX_MEMALIGN);
	}
}

/* For kernels before 5.15, which do not tell a program where it runs. */
#define BEGIN(name, call)                                                                          \
	SEC("uprobe") int begin_##name##__uprobe(struct pt_regs *ctx)                              \
	{                                                                                          \
		return begin(ctx, call);                                                           \
	}

BEGIN(malloc, CALL_MALLOC)
BEGIN(calloc, CALL_CALLOC)
BEGIN(realloc, CALL_REALLOC)
BEGIN(reallocarray, CALL_REALLOCARRAY)
BEGIN(memalign, CALL_MEMALIGN)
BEGIN(posix_memalign, CALL_POSIX_MEMALIGN)

/* What the function gave; 0: it failed. */
static __always_inline __u64 address_of(struct pt_regs *ctx, const struct allocation *a)
{
	if (a->call != CALL_POSIX_MEMALIGN)
		return PT_REGS_RC(ctx);
	return (__u32)PT_REGS_RC(ctx) ? 0 : user_word(a->where, false);
}

SEC("uretprobe") int allocation_end__uretprobe(struct pt_regs *ctx)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct allocation *a = &allocations[START_LINE(tid)];
	struct block block = {};
	__u64 address;

	if (a->tid != tid || PT_REGS_SP(ctx) != a->sp + USER_RETURN_BYTES(false))
		return 0;
	a->tid = 0;
	address = address_of(ctx, a);
	if (!address) {
		if (a->old && a->bytes) /* realloc(old, 0) has freed it */
			keep(a->old, &a->old_block);
		return 0;
	}
	if (!a->wanted || !is_wanted(a->bytes))
		return 0;
	/* At last: where programs at uprobes are preempted, another one's may get what is on this one's stack (6.13). */
	block.stack = stack_take_caller(ctx);
	block.ts_ns = bpf_ktime_get_ns();
	block.bytes = a->bytes;
	keep(address, &block);
	return 0;
}

SEC("uprobe") int free_begin__uprobe(struct pt_regs *ctx)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct allocation *a = &allocations[START_LINE(tid)];
	__u64 address = PT_REGS_PARM1(ctx);

	if (!address || (a->tid == tid && is_inner(a, PT_REGS_SP(ctx))))
		return 0;
	take_old(a, address);
	return 0;
}

static __always_inline void begins(__u32 tgid)
{
	__u64 now = bpf_ktime_get_ns();

	if (bpf_map_update_elem(&began, &tgid, &now, BPF_ANY))
		count_loss(LOSS_PROCESS);
}

TRACEPOINT_AT(program_begins, "sched_process_exec", struct task_struct *task)
{
	if (filter_passes())
		begins(filter_pid_tgid() >> 32);
	return 0;
}

/* A child has its parent's blocks, too, but they are the parent's. It is looked at, because it has its parent's mappings. */
TRACEPOINT_AT(child_begins, "sched_process_fork", struct task_struct *parent, struct task_struct *child)
{
	__u32 tgid = task_pid_tgid(typed, child) >> 32;

	if (LOAD(child, tgid) == LOAD(parent, tgid) || !filter_root || !filter_passes())
		return 0;
	begins(tgid);
	stack_request(tgid, 0);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
