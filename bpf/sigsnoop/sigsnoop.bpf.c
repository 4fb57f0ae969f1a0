// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A record for each signal, where the kernel queues it for the receiver: whoever sends it, to each
 * process of a group. What never comes there are calls that fail and calls with signal 0, which
 * the end of all system calls shows; a call that queued something is left out there.
 *
 * Rejected: the system calls alone, as killsnoop has them, of which the kernel makes none; their
 * beginnings besides, because the arguments still stand in the registers at the end.
 */
#include "task.h"

#include "call.h"
#include "lib/core/emit.h"
#include "lib/core/filter.h"
#include "lib/core/filter_task.h"
#include "lib/core/tracepoint.h"
#include "signal.h"
#include "sigsnoop.h"

#define EAGAIN 11
#define SEND_SIG_PRIV 1 /* instead of a struct kernel_siginfo: SI_KERNEL. 0 is SEND_SIG_NOINFO: SI_USER, of the current task */

const volatile bool failed_only;
const volatile bool calls_only;
const volatile __s32 only_target; /* a process, 0: any */
const volatile bool by_signal;	  /* one of the next two */
const volatile bool wanted_zero;
const volatile __u64 wanted_signals; /* bit n - 1 */

static __always_inline bool wanted(__u32 signal, __s32 result)
{
	if (failed_only && result >= 0)
		return false;
	if (!by_signal)
		return true;
	return signal ? signal <= 64 && wanted_signals >> ((signal - 1) & 63) & 1 : wanted_zero;
}

/* All but the receiver. */
static __always_inline struct signal_event *new_event(__u32 signal, __s32 code, __s32 result, __u32 origin)
{
	struct signal_event *e = emit_reserve(sizeof(*e));
	__u64 pid_tgid;

	if (!e)
		return NULL;
	pid_tgid = filter_pid_tgid();
	e->ts_ns = bpf_ktime_get_ns();
	e->signal = signal;
	e->code = code;
	e->result = result;
	e->origin = origin;
	e->tgid = pid_tgid >> 32;
	e->tid = pid_tgid;
	bpf_get_current_comm(e->comm, sizeof(e->comm));
	return e;
}

/*
 * A struct kernel_siginfo, or one of the two numbers. By a probe read, so that the verifier takes it for a number, too: it thinks
 * that a typed argument is never NULL, and leaves out what is to be done then; 7.3's refuses to load from this one.
 */
static __always_inline __u64 info_of(tp_ctx *ctx)
{
	__u64 info = 0;

	bpf_probe_read_kernel(&info, sizeof(info), &ctx[1]);
	return info;
}

/* Without a siginfo come SIGPIPE and its like, and by 7.3 at the latest those of kill(2) too, of which 6.18 had one. */
static __always_inline __u32 origin_without_info(void)
{
	return kill_kind(syscall_nr(task_registers())) ? SIGNAL_CALL : SIGNAL_ACT;
}

/* A process may give its signal any code below 0; those of glibc's own asynchronous calls are such. */
static __always_inline __u32 origin_of(__u32 signal, __s32 code)
{
	if (code == SI_MESGQ || (signal == SIGCHLD && code > 0 && code < SI_KERNEL))
		return SIGNAL_ACT;
	return code > 0 || code == SI_TIMER ? SIGNAL_KERNEL : SIGNAL_CALL;
}

/* A process that exits is not in the tree any more when its parent gets SIGCHLD, so that the receiver's place counts too. */
static __always_inline bool act_passes(const bool typed, struct task_struct *task, __u64 target)
{
	const __u64 pid_tgid = filter_pid_tgid();

	if (filter_root && task_in_tree(typed, task, target >> 32))
		return filter_passes_in_tree(pid_tgid);
	return filter_passes_as(pid_tgid);
}

/* The filters are about the sender; the kernel is none, so they are about the receiver. */
static __always_inline bool passes(const bool typed, __u32 origin, struct task_struct *task, __u64 target)
{
	if (calls_only && origin != SIGNAL_CALL)
		return false;
	if (only_target && target >> 32 != only_target)
		return false;
	if (origin == SIGNAL_KERNEL)
		return filter_passes_task(typed, task, target);
	return origin == SIGNAL_ACT ? act_passes(typed, task, target) : filter_passes();
}

TRACEPOINT(signal_generate, int sig, struct kernel_siginfo *unused, struct task_struct *task, int group, int result)
{
	__s32 how = result == SIGNAL_OVERFLOW ? -EAGAIN : result;
	struct kernel_siginfo *info;
	struct signal_event *e;
	__s32 code;
	__u64 target;
	__u32 origin;

	if (!wanted(sig, how))
		return 0;
	info = (void *)info_of(ctx);
	if ((__u64)info > SEND_SIG_PRIV) {
		code = BPF_CORE_READ(info, si_code);
		origin = origin_of(sig, code);
	} else if (info) {
		code = SI_KERNEL;
		origin = SIGNAL_KERNEL;
	} else {
		code = SI_USER;
		origin = origin_without_info();
	}
	target = task_pid_tgid(typed, task);
	if (!passes(typed, origin, task, target))
		return 0;
	e = new_event(sig, code, how, origin);
	if (!e)
		return 0;
	e->target = target >> 32;
	e->target_tid = group ? 0 : target;
	task_load_comm(typed, e->target_comm, task);
	emit_submit(e, sizeof(*e));
	return 0;
}

/* Every system call of the machine passes here. A full queue was seen above. */
TRACEPOINT(sys_exit, struct pt_regs *regs, long returned)
{
	enum kill_kind kind = kill_kind(SYSCALL_NR(regs));
	__s32 result = returned;
	struct signal_event *e;
	struct kill_call c;
	__u32 signal;

	if (!kind || result > 0 || result == -EAGAIN)
		return 0;
	signal = kill_signal(kind, (__u64)regs);
	if ((!result && signal) || !wanted(signal, result) || !filter_passes())
		return 0;
	kill_call_read(&c, kind, (__u64)regs);
	if (only_target && c.target != only_target)
		return 0;
	e = new_event(signal, c.code, result ? result : SIGNAL_EXISTS, SIGNAL_CALL);
	if (!e)
		return 0;
	e->target = c.target;
	e->target_tid = c.target_tid;
	__builtin_memset(e->target_comm, 0, sizeof(e->target_comm));
	emit_submit(e, sizeof(*e));
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
