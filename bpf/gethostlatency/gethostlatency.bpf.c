// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A record for each lookup of a host by a C library, when the function returns. The functions call each
 * other: only the outermost call of a thread counts, which is told by the stack pointer. A call that
 * lies deeper in the stack than the one that is under way belongs to it, and the return at the stack
 * pointer of the entry ends it. So there is no depth to count, and a tail call counts once.
 *
 * Rejected: a map of starts by thread, which nested calls overwrite; probes in the outer functions
 * alone, because programs call the inner ones, too.
 */
#include "core.h"

#include "gethostlatency.h"
#include "lib/core/emit.h"
#include "lib/core/filter.h"
#include "lib/user/program_starts.h"
#include "lib/user/user_call.h"
#include "answer.h"
#include "question.h"

const volatile bool failed_only;
const volatile __u64 min_ns; /* only those that took so long */

#define SAME_CALL_NS 1000000

static struct lookup lookups[HOST_LOOKUPS];

static __always_inline struct lookup *lookup_of(__u32 tid)
{
	return &lookups[tid & (HOST_LOOKUPS - 1)];
}

/* What was asked for may not be in memory when the function begins. When it returns, it is. */
static __always_inline void emit_lookup(struct lookup *l)
{
	struct host_event *e = &l->e;

	if (!l->read) {
		read_question(l);
		if (!l->read)
			count_loss(LOSS_NAME);
	}
	emit_copy(e, offsetof(struct host_event, name) + l->name_bytes, sizeof(*e));
}

static __always_inline void end_lookup(struct lookup *l, __u32 outcome, __s32 code)
{
	struct host_event *e = &l->e;
	__u64 now = bpf_ktime_get_ns();

	l->tid = 0;
	if (failed_only && outcome == HOST_OK)
		return;
	if (min_ns && now - e->ts_ns < min_ns)
		return;
	e->lat_ns = now - e->ts_ns;
	e->ts_ns = now;
	e->outcome = outcome;
	e->code = code;
	emit_lookup(l);
}

/*
 * Does this call belong to the one that is under way? Lower in the stack it does, and in the same place where
 * that one has jumped to it as its last step (musl: gethostbyname to gethostbyname2), or a file has its
 * probes twice (two containers see one file as two). Unless that one was left by a jump, as by an alarm.
 */
static __always_inline bool is_inner(const struct lookup *l, __u64 sp)
{
	if (sp > l->sp)
		return false;
	if (user_call_is_open(l->sp, l->narrow))
		return true;
	/* The second probe of the same place comes before the kernel has put the address there. */
	return sp == l->sp && bpf_ktime_get_ns() - l->e.ts_ns < SAME_CALL_NS;
}

static __always_inline int begin(struct pt_regs *ctx, __u32 call, bool narrow)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct lookup *l = lookup_of(tid);
	__u64 sp = PT_REGS_SP(ctx), pid_tgid;

	if (l->tid == tid) {
		if (is_inner(l, sp)) {
			if (answers_by_h_errno(l->e.call))
				save_answer(l, ctx, call, narrow);
			return 0;
		}
		end_lookup(l, HOST_UNFINISHED, 0);
	}
	if (!filter_passes())
		return 0;
	if (l->tid)
		count_loss(LOSS_START);
	pid_tgid = filter_pid_tgid();
	l->tid = tid;
	l->narrow = narrow;
	l->sp = sp;
	l->h_errno_at = 0;
	l->h_errno_value = 0;
	l->e.call = call;
	l->e.tgid = pid_tgid >> 32;
	l->e.tid = pid_tgid;
	bpf_get_current_comm(l->e.comm, sizeof(l->e.comm));
	save_question(l, ctx, call, narrow);
	read_question(l);
	l->e.ts_ns = bpf_ktime_get_ns();
	return 0;
}

SEC("uprobe") int lookup_begin__uprobe(struct pt_regs *ctx)
{
	__u64 cookie = bpf_get_attach_cookie(ctx);

	return begin(ctx, cookie >> 1, cookie & 1);
}

/* For kernels before 5.15, which do not tell a program where it runs. */
#define BEGIN(name, call)                                                                          \
	SEC("uprobe") int begin_##name##__uprobe(struct pt_regs *ctx)                              \
	{                                                                                          \
		return begin(ctx, call, false);                                                    \
	}                                                                                          \
	SEC("uprobe") int begin32_##name##__uprobe(struct pt_regs *ctx)                            \
	{                                                                                          \
		return begin(ctx, call, true);                                                     \
	}

BEGIN(getaddrinfo, CALL_GETADDRINFO)
BEGIN(gethostbyname, CALL_GETHOSTBYNAME)
BEGIN(gethostbyname2, CALL_GETHOSTBYNAME2)
BEGIN(gethostbyname_r, CALL_GETHOSTBYNAME_R)
BEGIN(gethostbyname2_r, CALL_GETHOSTBYNAME2_R)
BEGIN(gethostbyaddr, CALL_GETHOSTBYADDR)
BEGIN(gethostbyaddr_r, CALL_GETHOSTBYADDR_R)
BEGIN(getnameinfo, CALL_GETNAMEINFO)

SEC("uretprobe") int lookup_end__uretprobe(struct pt_regs *ctx)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct lookup *l = lookup_of(tid);
	__u32 outcome;
	__s32 code = 0;

	if (l->tid != tid)
		return 0;
	if (PT_REGS_SP(ctx) != l->sp + USER_RETURN_BYTES(l->narrow)) {
		if (l->h_errno_at)
			l->h_errno_value = read_int(l->h_errno_at);
		return 0;
	}
	outcome = read_answer(l, PT_REGS_RC(ctx), &code);
	end_lookup(l, outcome, code);
	return 0;
}

/* A process that was killed while it waited for an answer: nobody else will say so. */
TRACEPOINT_AT(lookup_left, "sched_process_exit", struct task_struct *task)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct lookup *l = lookup_of(tid);

	if (l->tid == tid)
		end_lookup(l, HOST_UNFINISHED, 0);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
