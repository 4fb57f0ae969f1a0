// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A record for each program that is executed, at the tracepoint where it begins: from what the
 * kernel has set up, so nothing is missing whichever way it was called. Failed calls and the ends
 * of programs only on demand.
 *
 * Rejected: the caller's memory before the call, which is cut, may be changed or absent, and which a
 * program of execveat(2) or of the kernel itself does not have.
 */
#include "exec.h"
#include "task.h"
#include "compat.h"

#include "execsnoop.h"
#include "lib/core/emit.h"
#include "lib/core/filter.h"
#include "lib/core/kept_stack.h"
#include "lib/fs/path.h"
#include "lib/core/tracepoint.h"
#include "text.h"

const volatile bool by_uid, by_ppid, by_parent;
const volatile __u32 only_uid, only_ppid;
const volatile __u64 only_parent[2]; /* a comm, padded with zeros */
const volatile bool want_ends, want_cwd, want_exe;
const volatile __u32 execve_number, execveat_number;

/* Of 32-bit programs. */
#define EXECVE_32 11
#if defined(__TARGET_ARCH_x86)
#define EXECVEAT_32 358
#elif defined(__TARGET_ARCH_arm64)
#define EXECVEAT_32 387
#endif

EMIT_SCRATCH(done, struct exec_event);
EMIT_SCRATCH(failed, struct exec_event);
EMIT_SCRATCH(names, struct path_names);

/* When the program of a process began, by the kernel's tgid, until it ends. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1); /* sized before loading */
	__type(key, __u32);
	__type(value, __u64);
} running SEC(".maps");

/* All but the text; false if the event was not asked for. */
static __always_inline bool fill(struct exec_event *e, __u32 kind)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct task_struct *parent = BPF_CORE_READ(task, real_parent);
	__u64 pid_tgid = filter_pid_tgid();
	__u64 uid_gid = bpf_get_current_uid_gid();

	e->uid = uid_gid;
	if (by_uid && e->uid != only_uid)
		return false;
	e->ppid = BPF_CORE_READ(parent, tgid);
	if (by_ppid && e->ppid != only_ppid)
		return false;
	__builtin_memset(e->parent, 0, sizeof(e->parent));
	bpf_core_read_str(e->parent, sizeof(e->parent), &parent->comm);
	if (by_parent && (((__u64 *)e->parent)[0] != only_parent[0] ||
			  ((__u64 *)e->parent)[1] != only_parent[1]))
		return false;
	e->ts_ns = bpf_ktime_get_ns();
	e->since_ns = 0;
	e->cgroup = bpf_get_current_cgroup_id();
	e->args_total = 0;
	e->kind = kind;
	e->waits = 0;
	e->tgid = pid_tgid >> 32;
	e->tid = pid_tgid;
	e->gid = uid_gid >> 32;
	e->cpu = bpf_get_smp_processor_id();
	e->error = 0;
	e->dirfd = AT_FDCWD;
	e->exit_code = 0;
	e->args_cut = 0;
	e->interp_bytes = 0;
	e->cwd_bytes = 0;
	e->cwd_whole = 0;
	e->exe_bytes = 0;
	e->exe_whole = 0;
	e->exe_deleted = 0;
	bpf_get_current_comm(e->comm, sizeof(e->comm));
	return true;
}

/* The program before in this process ends here; this one's end will be told. */
static __always_inline void fill_running(struct exec_event *e)
{
	__u32 tgid = bpf_get_current_pid_tgid() >> 32;
	__u64 *since = bpf_map_lookup_elem(&running, &tgid);

	if (since)
		e->since_ns = *since;
	e->waits = !bpf_map_update_elem(&running, &tgid, &e->ts_ns, BPF_ANY);
	if (!e->waits)
		count_loss(EXEC_LOSS_ENDS);
}

/* With --stack: the caller's memory is gone when the program begins. -c is the name that it will have then. */
TRACEPOINT(sys_enter, struct pt_regs *regs, long number)
{
	if ((number != execve_number && number != execveat_number) || is_compat_syscall())
		return 0;
	if (filter_by_comm || filter_passes())
		keep_stack((__u32)bpf_get_current_pid_tgid());
	return 0;
}

TRACEPOINT(sched_process_exec, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	struct exec_event *e = emit_scratch(&done);
	struct mm_struct *mm = LOAD(task, mm);
	const char *file = LOAD(bprm, filename);
	const char *interp = LOAD(bprm, interp);
	__u64 at;

	if (!e || !filter_passes() || !fill(e, EXEC_DONE))
		return 0;
	if (!filter_pidns_ino)
		e->tid = old_pid;
	if (want_ends)
		fill_running(e);
	at = e->file_bytes = text_kernel(e, 0, file);
	if (interp != file)
		at += e->interp_bytes = text_kernel(e, at, interp);
	if (want_cwd)
		at += text_cwd(e, at, emit_scratch(&names));
	if (want_exe)
		at += text_exe(e, at, emit_scratch(&names), LOAD(bprm, file));
	at += text_arguments(e, at, LOAD(mm, arg_start), LOAD(mm, arg_end));
	text_emit(e, at, take_stack(old_pid));
	return 0;
}

/* A 32-bit call has other numbers, and its arguments elsewhere: it is counted as not shown. */
static __always_inline bool is_exec(struct pt_regs *regs, __u32 number)
{
	if (number == execve_number || number == execveat_number)
		return !is_compat_syscall();
	if ((number == EXECVE_32 || number == EXECVEAT_32) && is_compat_syscall() && filter_passes())
		count_loss(EXEC_LOSS_32_BIT);
	return false;
}

/* Every system call of the machine passes here: what did not fail leaves at once. */
TRACEPOINT(sys_exit, struct pt_regs *regs, long result)
{
	struct exec_event *e;
	__u32 number;
	__u64 at;
	bool has_dirfd;

	if (result >= 0)
		return 0;
	number = syscall_nr((__u64)regs);
	if (!is_exec(regs, number) || !filter_passes())
		return 0;
	e = emit_scratch(&failed);
	if (!e || !fill(e, EXEC_FAILED))
		return 0;
	has_dirfd = number == execveat_number;
	e->error = result;
	if (has_dirfd)
		e->dirfd = syscall_arg((__u64)regs, 0);
	at = e->file_bytes = text_user(e, syscall_arg((__u64)regs, has_dirfd));
	if (want_cwd)
		at += text_cwd(e, at, emit_scratch(&names));
	at += text_argv(e, at, has_dirfd ? syscall_arg((__u64)regs, 2) : syscall_arg((__u64)regs, 1));
	text_emit(e, at, take_stack((__u32)bpf_get_current_pid_tgid()));
	return 0;
}

/* What wait(2) will say of the process. signal->live was lowered before: 0 in the last thread. */
TRACEPOINT(sched_process_exit, struct task_struct *task)
{
	struct signal_struct *signal = LOAD(task, signal);
	struct task_struct *leader = LOAD(task, group_leader);
	__u32 kernel_tgid = LOAD(task, tgid);
	struct exec_event *e;
	__u64 *since, since_ns;

	if (LOAD(signal, live.counter))
		return 0;
	since = bpf_map_lookup_elem(&running, &kernel_tgid);
	if (!since)
		return 0;
	since_ns = *since;
	bpf_map_delete_elem(&running, &kernel_tgid);
	e = emit_reserve_with(EXEC_HEADER + 8, 0);
	if (!e)
		return 0;
	__builtin_memset(e, 0, EXEC_HEADER + 8);
	e->ts_ns = bpf_ktime_get_ns();
	e->since_ns = since_ns;
	e->kind = EXEC_ENDED;
	e->tgid = filter_pid_tgid() >> 32;
	if (LOAD(signal, flags) & SIGNAL_GROUP_EXIT)
		e->exit_code = LOAD(signal, group_exit_code);
	else
		e->exit_code = LOAD(leader, exit_code);
	emit_submit(e, EXEC_HEADER + 8);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
