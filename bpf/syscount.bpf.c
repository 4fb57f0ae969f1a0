// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* System calls, counted at their end by one program; their time needs another one at the beginning. */
#include <asm/unistd.h>

#include "task.h"

#include "compat.h"
#include "lib/filter.h"
#include "lib/start.h"
#include "lib/table.h"
#include "lib/tracepoint.h"
#include "syscount.h"

#define MAX_ERRNO 4095
#if defined(__TARGET_ARCH_x86)
#define COMPAT_EXIT_GROUP 252
#else
#define COMPAT_EXIT_GROUP 248
#endif

const volatile __u32 by = SYSCOUNT_BY_CALL;
const volatile bool with_time;
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
static __always_inline bool is_exit(__u64 call)
{
	return call == __NR_exit || call == __NR_exit_group || call == SYSCOUNT_32BIT + 1 ||
	       call == SYSCOUNT_32BIT + COMPAT_EXIT_GROUP;
}

TRACEPOINT(sys_enter, struct pt_regs *regs, long id)
{
	struct call_start *s;
	__u32 tid;

	if (!filter_passes() || is_exit(call_of(id)))
		return 0;
	tid = bpf_get_current_pid_tgid();
	s = &starts[START_LINE(tid)];
	start_begin(&s->tid, tid);
	s->ts_ns = bpf_ktime_get_ns();
	return 0;
}

/* When the call began; 0 if that was not seen. */
static __always_inline __u64 take_start(void)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct call_start *s = &starts[START_LINE(tid)];
	__u64 ts_ns = s->ts_ns;

	return start_end(&s->tid, tid) ? ts_ns : 0;
}

static __always_inline struct syscount_count *count_of(__u64 call, __u64 error)
{
	__u32 index = call;
	const struct syscount_count zero = {};
	struct syscount_key key = {.call = call};

	if (by == SYSCOUNT_BY_CALL)
		return bpf_map_lookup_elem(&calls, &index);
	if (by == SYSCOUNT_BY_ERROR) {
		key.error = error;
		return table_find(&parts, &key, &zero);
	}
	if (by == SYSCOUNT_BY_PROCESS)
		key.call = SYSCOUNT_ANY;
	key.tgid = filter_pid_tgid() >> 32;
	bpf_get_current_comm(key.comm, sizeof(key.comm));
	return table_find(&parts, &key, &zero);
}

static __always_inline bool is_asked_for(__u64 call, __u64 error)
{
	if (only_failed && !error)
		return false;
	if (only_error && error != only_error)
		return false;
	asm volatile("" : "+r"(call)); /* or the compiler saves the mask, which the verifier wants to see */
	return !only_wanted || wanted[call & (SYSCOUNT_CALLS - 1)];
}

TRACEPOINT(sys_exit, struct pt_regs *regs, long result)
{
	__u64 start_ns = 0;
	__u64 call, error = 0;
	struct syscount_count *n;

	if (!filter_passes())
		return 0;
	if (with_time)
		start_ns = take_start();
	call = call_of(LOAD_SYSCALL_NR(regs));
	if ((__u64)-result <= MAX_ERRNO)
		error = -result;
	if (is_birth(call, result) || !is_asked_for(call, error))
		return 0;
	n = count_of(call, error);
	if (!n)
		return 0;
	__sync_fetch_and_add(&n->calls, 1);
	if (error)
		__sync_fetch_and_add(&n->errors, 1);
	if (with_time && start_ns)
		__sync_fetch_and_add(&n->time_ns, bpf_ktime_get_ns() - start_ns);
	else if (with_time)
		__sync_fetch_and_add(&n->untimed, 1);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
