// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A record for each attempt to connect, when it is decided: SYN_SENT is entered by the task that
 * connects, and left when the other end has answered, or nobody has. Or they are counted. When the run
 * ends, user space has a program run for each that is under way: what a record needs is still in the
 * socket. Rejected: to keep it at the SYN, which every connection pays.
 *
 * What fails before a SYN is sent changes no state: --unsent looks at the end of each system call, and is no
 * default because all of them pay. Rejected: kprobes of tcp_v4_connect and tcp_v6_connect (not
 * permitted everywhere); the tracepoint of connect alone (the kernel's overhead is the same).
 *
 * Counts have an average and no maximum: they only grow, so that nothing is lost between two readings, and
 * the maximum of an interval is no difference. Rejected: a maximum that user space resets; a histogram for
 * each key; counting at the SYN, where nobody knows yet who fails.
 */
#include "core.h"

#include "compat.h"
#include "fs.h"
#include "net.h"

#include <asm/errno.h>

#include "lib/core/kept_stack.h"
#include "lib/net/sock_filter.h"
#include "lib/net/sock_info.h"
#include "lib/core/table.h"
#include "tcpconnect.h"

#define KEYS 65536

const volatile bool failed_only;
const volatile __u64 min_ns; /* only those that took so long */
const volatile bool with_unsent; /* sys_exit tells of what fails before a SYN, and where no port was free */
const volatile __u32 count_by; /* CONNECT_BY_*: counts instead of records */

TABLE(counts, struct connect_key, struct connect_counts, KEYS);

#define ERESTARTSYS 512

static __always_inline __u32 sent_again(const bool typed, struct sock *sk)
{
	struct tcp_sock *tp = tcp_sock_of(typed, sk);

	return tp ? LOAD(tp, total_retrans) : 0;
}

/* 0: none was free for this end, or it was given back. */
static __always_inline __u32 sock_port(const bool typed, struct sock *sk)
{
	return LOAD(sk, __sk_common.skc_portpair) >> 16 ?: BPF_CORE_READ((struct inet_sock *)sk, inet_sport);
}

static __always_inline void fill_key(const struct connect_event *e, struct connect_key *key)
{
	const __u32 by = count_by;

	key->by = by;
	if (by & CONNECT_BY_DESTINATION) {
		key->remote_hi = e->ends.remote_hi;
		key->remote_lo = e->ends.remote_lo;
	}
	if (by & (CONNECT_BY_DESTINATION | CONNECT_BY_PORT))
		key->remote_port = e->ends.remote_port;
	if (by & CONNECT_BY_SOURCE) {
		key->local_hi = e->ends.local_hi;
		key->local_lo = e->ends.local_lo;
	}
	if (by & CONNECT_BY_PROCESS) {
		key->tgid = e->tgid;
		__builtin_memcpy(key->comm, e->comm, sizeof(key->comm));
	}
	if (by & CONNECT_BY_UID)
		key->uid = e->uid;
}

static __always_inline void count_connect(const struct connect_event *e)
{
	const struct connect_counts zero = {};
	struct connect_key key = {};
	struct connect_counts *n;

	fill_key(e, &key);
	n = table_find(&counts, &key, &zero);
	if (!n)
		return;
	__sync_fetch_and_add(&n->attempts, 1);
	if (!e->established) {
		__sync_fetch_and_add(&n->failed, 1);
	} else if (e->since_ns) {
		__sync_fetch_and_add(&n->timed, 1);
		__sync_fetch_and_add(&n->time_ns, e->ts_ns - e->since_ns);
	}
	if (e->again)
		__sync_fetch_and_add(&n->again, e->again);
}

/* SYN_RECV: both ends have sent a SYN, and none has an answer yet. */
static __always_inline bool is_under_way(int state)
{
	return state == BPF_TCP_SYN_SENT || state == BPF_TCP_SYN_RECV;
}

static __always_inline void fill_connect(const bool typed, struct sock *sk, const struct sock_info *n, int to,
					 struct connect_event *e)
{
	e->since_ns = n->ts_ns;
	e->established = to == BPF_TCP_ESTABLISHED;
	e->error = e->established ? 0 : is_under_way(to) ? EINPROGRESS : LOAD(sk, sk_err);
	e->uid = LOAD(sk, sk_uid.val);
	e->tgid = n->pid_tgid >> 32;
	e->tid = n->pid_tgid;
	e->again = sent_again(typed, sk);
	__builtin_memcpy(e->comm, n->comm, sizeof(e->comm));
}

static __always_inline void emit_connect(const bool typed, struct sock *sk, const struct sock_info *n, int to)
{
	struct connect_event *e, counted;
	__u64 now = bpf_ktime_get_ns();
	struct sock_ends ends;

	if (with_unsent && to == BPF_TCP_CLOSE && !sock_port(typed, sk) && !LOAD(sk, sk_err))
		return;
	if ((failed_only && to == BPF_TCP_ESTABLISHED) || (min_ns && (!n->ts_ns || now - n->ts_ns < min_ns)))
		return;
	sock_ends_fill(typed, sk, &ends);
	if (!sock_ends_pass(&ends) || !sock_uid_passes(typed, sk))
		return;
	if (count_by) {
		counted.ts_ns = now;
		counted.ends = ends;
		fill_connect(typed, sk, n, to, &counted);
		count_connect(&counted);
		return;
	}
	e = emit_reserve_with(sizeof(*e), take_stack(sock_key(typed, sk)));
	if (!e)
		return;
	e->ts_ns = now;
	e->ends = ends;
	fill_connect(typed, sk, n, to, e);
	emit_submit(e, sizeof(*e));
}

/* A child of a listening socket, which leaves SYN_RECV as well, has no file yet (with TCP Fast Open it may). */
static __always_inline bool leaves_simultaneous_open(const bool typed, struct sock *sk, int from)
{
	return from == BPF_TCP_SYN_RECV && LOAD(sk, sk_socket);
}

TRACEPOINT(inet_sock_set_state, struct sock *sk, int from, int to)
{
	struct sock_info *n;

	if (to != BPF_TCP_SYN_SENT && from != BPF_TCP_SYN_SENT && !leaves_simultaneous_open(typed, sk, from))
		return 0;
	if (to == BPF_TCP_SYN_RECV || !sock_is_tcp(typed, sk))
		return 0;
	n = sock_info_at(typed, sk, from, to);
	if (!n)
		return 0;
	if (to == BPF_TCP_SYN_SENT) {
		n->ts_ns = bpf_ktime_get_ns();
		if (sock_owner_passes(n))
			keep_stack(sock_key(typed, sk));
		return 0;
	}
	/* Of one that leaves SYN_RECV and whose SYN was not seen nobody knows that it connects. */
	if (sock_owner_passes(n) && (from == BPF_TCP_SYN_SENT || n->ts_ns))
		emit_connect(typed, sk, n, to);
	sock_info_end(typed, sk, from);
	return 0;
}

/* Run by user space when the run is over, for each socket that has an info: the attempt is not decided. */
SEC("raw_tp") int under_way(tp_ctx *ctx)
{
	struct sock *sk = (void *)ctx[0];
	__u8 state = BPF_CORE_READ(sk, __sk_common.skc_state);
	struct sock_info *n = sock_info_find((__u64)sk);

	if (n && is_under_way(state) && sock_owner_passes(n))
		emit_connect(false, sk, n, state);
	return 0;
}

#if defined(__TARGET_ARCH_x86)
enum { CONNECT_64 = 42, CONNECT_32 = 362 };
#elif defined(__TARGET_ARCH_arm64)
enum { CONNECT_64 = 203, CONNECT_32 = 283 };
#endif

/* What a SYN gets for an answer, too: then the change of state has told it. */
static __always_inline bool is_answer(__s32 error)
{
	return error == ENETUNREACH || error == ECONNABORTED || error == ECONNRESET || error == ETIMEDOUT ||
	       error == ECONNREFUSED || error == EHOSTUNREACH;
}

/* The others mean that it goes on, or went well, or that there is no socket. */
static __always_inline bool is_failure(__s32 error)
{
	return error > 0 && error < ERESTARTSYS && error != EINTR && error != EINPROGRESS && error != EALREADY &&
	       error != EISCONN && error != EBADF && error != ENOTSOCK;
}

/* The address that connect() was given. */
static __always_inline void fill_destination(struct sock_ends *ends, __u64 address)
{
	struct {
		__u16 family;
		__u16 port;
		__u32 ipv4;
		__u64 ipv6[2];
	} destination = {};

	/* The shorter one may end where memory does. */
	if (bpf_probe_read_user(&destination, 16, (void *)address))
		return;
	ends->remote_port = bpf_ntohs(destination.port);
	ends->remote_hi = 0;
	ends->remote_lo = ipv4_half(destination.ipv4);
	if (destination.family != AF_INET6)
		return;
	bpf_probe_read_user(destination.ipv6, sizeof(destination.ipv6), (void *)(address + 8));
	ends->remote_hi = bpf_be64_to_cpu(destination.ipv6[0]);
	ends->remote_lo = bpf_be64_to_cpu(destination.ipv6[1]);
	if (!ends->remote_hi && ends->remote_lo >> 32 == IPV4_IN_IPV6 >> 32 && !ends->local_hi && !ends->local_lo)
		ends->local_lo = IPV4_IN_IPV6;
}

static __always_inline void fill_unsent(struct sock *sk, const struct sock_ends *ends, __s32 error,
					struct connect_event *e)
{
	__u64 pid_tgid = filter_pid_tgid();

	e->ts_ns = bpf_ktime_get_ns();
	e->since_ns = 0;
	e->ends = *ends;
	e->established = 0;
	e->error = error;
	e->uid = BPF_CORE_READ(sk, sk_uid.val);
	e->tgid = pid_tgid >> 32;
	e->tid = pid_tgid;
	e->again = 0;
	bpf_get_current_comm(e->comm, sizeof(e->comm));
}

static __always_inline void emit_unsent(struct sock *sk, __u64 address, __s32 error)
{
	struct connect_event *e, counted;
	struct sock_ends ends;

	sock_ends_fill(false, sk, &ends);
	if (ends.local_port && is_answer(error))
		return;
	fill_destination(&ends, address);
	if (!sock_ends_pass(&ends) || !sock_uid_passes(false, sk))
		return;
	if (count_by) {
		fill_unsent(sk, &ends, error, &counted);
		count_connect(&counted);
		return;
	}
	e = emit_reserve(sizeof(*e));
	if (!e)
		return;
	fill_unsent(sk, &ends, error, e);
	emit_submit(e, sizeof(*e));
}

TRACEPOINT(sys_exit, struct pt_regs *regs, long result)
{
	__u32 nr = LOAD_SYSCALL_NR(regs);
	struct socket *socket;
	struct file *file;
	struct sock *sk;
	bool narrow;

	if (result >= 0 || (nr != CONNECT_64 && nr != CONNECT_32) || !is_failure(-result) || min_ns)
		return 0;
	narrow = is_compat_syscall();
	if (nr != (narrow ? CONNECT_32 : CONNECT_64) || !filter_passes())
		return 0;
	file = (void *)file_of(narrow ? compat_syscall_arg((__u64)regs, 0) : syscall_arg((__u64)regs, 0));
	socket = file ? (void *)BPF_CORE_READ(file, private_data) : NULL;
	sk = socket ? BPF_CORE_READ(socket, sk) : NULL;
	if (sk && sock_is_tcp(false, sk))
		emit_unsent(sk, narrow ? compat_syscall_arg((__u64)regs, 1) : syscall_arg((__u64)regs, 1), -result);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
