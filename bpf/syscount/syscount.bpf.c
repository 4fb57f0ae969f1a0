// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* System calls, counted at their end by one program; their time needs another one at the beginning. */
#include <asm/unistd.h>

#include "task.h"

#include "compat.h"
#include "lib/core/key_cache.h"
#include "lib/core/filter.h"
#include "lib/core/start.h"
#include "lib/core/thinning.h"
#include "lib/core/tracepoint.h"
#include "syscount.h"

#define MAX_ERRNO 4095
#if defined(__TARGET_ARCH_x86)
#define COMPAT_EXIT_GROUP 252
#else
#define COMPAT_EXIT_GROUP 248
#endif

const volatile __u32 by = SYSCOUNT_BY_CALL;
const volatile bool with_time;
const volatile bool only_some; /* one of the following is set */
const volatile bool only_failed;
const volatile __u32 only_error; /* 0: any */
const volatile bool only_wanted;
const volatile __u8 wanted[SYSCOUNT_CALLS];

struct call_start {
	__u32 tid, zero;
	__u64 ts_ns;
};
static struct call_start starts[START_LINES];

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SYSCOUNT_CALLS);
	__type(key, __u32);
	__type(value, struct syscount_count);
} calls SEC(".maps");

KEY_CACHE(cached, struct syscount_key, struct syscount_count);
TABLE(parts, struct syscount_key, struct syscount_count, 65536);

static __always_inline __u64 call_of(__u64 nr)
{
	if (nr >= SYSCOUNT_OTHER)
		return (__u32)nr == (__u32)-1 ? SYSCOUNT_RESTORED : SYSCOUNT_OTHER;
	return is_compat_syscall() ? nr + SYSCOUNT_32BIT : nr;
}

/* A new task begins with the end of a call that its parent made: of fork, clone and the like only the child gets 0. */
static __always_inline bool is_birth(__u64 call, __s64 result)
{
	if (result)
		return false;
	switch (call) {
	case __NR_clone:
	case __NR_clone3:
#if defined(__TARGET_ARCH_x86)
	case __NR_fork:
	case __NR_vfork:
#endif
	case SYSCOUNT_32BIT + 2:   /* fork */
	case SYSCOUNT_32BIT + 120: /* clone */
	case SYSCOUNT_32BIT + 190: /* vfork */
	case SYSCOUNT_32BIT + 435: /* clone3 */
		return true;
	}
	return false;
}

/* They have no end, which would leave their start behind for another thread to find. */
static __always_inline bool is_exit(__u64 nr)
{
	switch (nr) {
	case __NR_exit:
	case __NR_exit_group:
		return !is_compat_syscall();
	case 1:
	case COMPAT_EXIT_GROUP:
		return is_compat_syscall();
	}
	return false;
}

/* When the call began; 0 if that was not seen. */
static __always_inline __u64 take_start(void)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct call_start *s = &starts[START_LINE(tid)];
	__u64 ts_ns = s->ts_ns;

	return start_take(&s->tid, tid) ? ts_ns : 0;
}

/* Thinned, the calls that are looked at are those that have a start. */
TRACEPOINT(sys_enter, struct pt_regs *regs, long id)
{
	struct call_start *s;
	__u32 tid;

	if (thinned_out()) {
		take_start();
		return 0;
	}
	if (!filter_passes() || is_exit(id))
		return 0;
	tid = bpf_get_current_pid_tgid();
	s = &starts[START_LINE(tid)];
	start_save(&s->tid, tid);
	s->ts_ns = bpf_ktime_get_ns();
	return 0;
}

/* The name of a process is that of its first thread. bpf_get_current_task_btf: 5.11 and later. */
static __always_inline void set_process_name(struct cache_key *key)
{
	struct task_struct *task;
	__u64 comm[2] = {};

	if (bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_get_current_task_btf)) {
		task = ((struct task_struct *)bpf_get_current_task_btf())->group_leader;
		key->words[0] = *(__u64 *)&task->comm[0];
		key->words[1] = *(__u64 *)&task->comm[8];
		return;
	}
	task = (void *)bpf_get_current_task();
	task = BPF_CORE_READ(task, group_leader);
	bpf_core_read_str(comm, sizeof(comm), &task->comm); /* 5.10 leaves a longer name's end behind the zero */
	key->words[0] = comm[0];
	key->words[1] = comm[1];
}

/* 6.1 writes nothing behind the zero at the end of the name. */
static __always_inline void set_thread_name(struct cache_key *key)
{
	__u64 comm[2] = {};

	bpf_get_current_comm(comm, sizeof(comm));
	key->words[0] = comm[0];
	key->words[1] = comm[1];
}

/* The words of a key are those of a struct syscount_key. */
static __always_inline struct syscount_count *part_of(__u32 how, __u64 call, __u64 error, __u64 pid_tgid)
{
	static const struct syscount_count zero;
	struct cache_key key = {};

	if (how == SYSCOUNT_BY_ERROR) {
		key.words[2] = call | error << 32;
		return key_cache_find(&cached, &parts, key, &zero);
	}
	key.words[2] = how == SYSCOUNT_BY_BOTH ? call : SYSCOUNT_ANY;
	key.words[3] = pid_tgid >> 32;
	if (how == SYSCOUNT_BY_THREAD) {
		key.words[3] |= pid_tgid << 32;
		set_thread_name(&key);
	} else {
		set_process_name(&key);
	}
	return key_cache_find(&cached, &parts, key, &zero);
}

static __always_inline struct syscount_count *count_of(__u64 call, __u64 error, __u64 pid_tgid)
{
	const __u32 how = by;
	__u32 index = call;

	if (how == SYSCOUNT_BY_CALL)
		return bpf_map_lookup_elem(&calls, &index);
	return part_of(how, call, error, pid_tgid);
}

static __always_inline bool is_asked_for(__u64 call, __u64 error)
{
	if (!only_some)
		return true;
	if (only_failed && !error)
		return false;
	if (only_error && error != only_error)
		return false;
	asm volatile("" : "+r"(call)); /* or the compiler saves the mask, which the verifier wants to see */
	return !only_wanted || wanted[call & (SYSCOUNT_CALLS - 1)];
}

static __always_inline void add_time(struct syscount_count *n, __u64 start_ns)
{
	if (start_ns)
		__sync_fetch_and_add(&n->time_ns, bpf_ktime_get_ns() - start_ns);
	else
		__sync_fetch_and_add(&n->untimed, 1);
}

TRACEPOINT(sys_exit, struct pt_regs *regs, long result)
{
	__u64 pid_tgid, start_ns = 0;
	__u64 call, error = 0;
	struct syscount_count *n;

	if (thinned_out() && !with_time)
		return 0;
	pid_tgid = filter_pid_tgid();
	if (!filter_passes_as(pid_tgid))
		return 0;
	if (with_time) {
		start_ns = take_start();
		if (!start_ns && is_thinned())
			return 0;
	}
	call = call_of(LOAD_SYSCALL_NR(regs));
	if ((__u64)-result <= MAX_ERRNO)
		error = -result;
	if (is_birth(call, result) || !is_asked_for(call, error))
		return 0;
	n = count_of(call, error, pid_tgid);
	if (!n)
		return 0;
	__sync_fetch_and_add(&n->calls, 1);
	if (error)
		__sync_fetch_and_add(&n->errors, 1);
	if (with_time)
		add_time(n, start_ns);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
