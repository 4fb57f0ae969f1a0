/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What is known of a TCP socket from one change of its state to the next, by its address: when
 * something was, and whose it is. A state changes as often in an interrupt, where the current
 * task is anybody, as in a system call of the socket's own task; so the task is kept where the
 * kernel says that one works on the socket, and a child of a listening socket begins with the
 * task that called listen().
 * Every info ends at the change to CLOSE, which no socket goes without.
 */
#pragma once

#include "skb.h"

#include "lib/core/filter.h"
#include "lib/core/scalar.h"
#include "lib/net/sock.h"
#include "lib/net/sock_infos.h"

enum {
	SOCK_PASSES = 1, /* its task passes the filter */
	SOCK_CHILD = 2, /* made by a listening socket */
	SOCK_CALLER = 4, /* by connect() */
	SOCK_OWNED = 8, /* its task is known */
	SOCK_NOBODYS = 16, /* it was looked for among all owners, in vain */
	SOCK_TOOL = 32, /* the tool's own */
};

/*
 * Whose sockets from before the run are, of tasks that are asked for (src/subsys/sock_owners.h). They are
 * listed once more when the programs are attached; a key of zeros says that it is done.
 */
const volatile bool sock_owners_known;
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1); /* sized before loading */
	__type(key, struct sock_owner_key);
	__type(value, struct sock_owner);
} sock_owners SEC(".maps");

static __always_inline bool sock_owner_take(struct sock_info *n, const struct sock_owner_key *key)
{
	const struct sock_owner *owner = bpf_map_lookup_elem(&sock_owners, key);

	if (!owner)
		return false;
	n->pid_tgid = owner->pid_tgid;
	n->flags |= SOCK_PASSES | SOCK_OWNED;
	__builtin_memcpy(n->comm, owner->comm, sizeof(n->comm));
	return true;
}

/* Nothing that was seen says whose it is, and the owners may. */
static __always_inline bool sock_owner_is_open(const struct sock_info *n)
{
	return !(n->flags & (SOCK_OWNED | SOCK_NOBODYS)) && sock_owners_known; /* mostly the first is false */
}

/* Asked before a search: one that finds nothing among fewer is repeated at the next change. */
static __always_inline __u32 sock_owner_unless_found(void)
{
	const struct sock_owner_key all = {};

	return bpf_map_lookup_elem(&sock_owners, &all) ? SOCK_NOBODYS : 0;
}

/* A child of a listening socket: skc_num is the port of both. */
static __always_inline bool sock_owner_take_listeners(const bool typed, struct sock *sk, struct sock_info *n)
{
	struct sock_owner_key key = {
		.netns = BPF_CORE_READ(sk, __sk_common.skc_net.net, ns.inum),
		.port = LOAD(sk, __sk_common.skc_portpair) >> 16,
	};

	return sock_owner_take(n, &key);
}

static __always_inline void sock_owner_of_listener(const bool typed, struct sock *sk, struct sock_info *n)
{
	__u32 flags = sock_owner_unless_found();

	if (!sock_owner_take_listeners(typed, sk, n))
		n->flags |= flags;
}

/* A child from before the owners were all there may still wait for accept(): then its listener's owner is its own. */
static __always_inline void sock_owner_of(const bool typed, struct sock *sk, struct sock_info *n)
{
	struct sock_owner_key key = {.cookie = LOAD(sk, __sk_common.skc_cookie.counter)};
	__u32 flags = sock_owner_unless_found();

	if (key.cookie && sock_owner_take(n, &key))
		return;
	if (n->flags & SOCK_CHILD && sock_owner_take_listeners(typed, sk, n))
		return;
	n->flags |= flags;
}

/* Of a socket: its address. */
static __always_inline __u64 sock_key(const bool typed, const struct sock *sk)
{
	return typed ? scalar_of(sk) : (__u64)sk;
}

/* Of the listening socket of a port: not an address of the kernel's, whose highest bits are set and whose lowest is not. */
static __always_inline __u64 listener_key(const bool typed, struct sock *sk)
{
	__u64 port = LOAD(sk, __sk_common.skc_portpair) >> 16;
	struct net *net = LOAD(sk, __sk_common.skc_net.net);

	return ((typed ? scalar_of(net) : (__u64)net) ^ port << 48) | 1;
}

/* The last task that was found to be none: to read the flags costs what all the rest of a change of owner does. */
static volatile __u64 no_kernel_thread;

static __always_inline bool is_kernel_thread(__u64 pid_tgid)
{
	struct task_struct *task;

	if (pid_tgid && pid_tgid == no_kernel_thread)
		return false;
	task = (void *)bpf_get_current_task();
	if (BPF_CORE_READ(task, flags) & PF_KTHREAD)
		return true;
	no_kernel_thread = pid_tgid;
	return false;
}

/* A kernel thread works for somebody: MPTCP's worker closes what a task has left. It is the task only where none is known. */
static __always_inline void sock_info_task(struct sock_info *n)
{
	__u64 pid_tgid = filter_pid_tgid();

	if (pid_tgid && n->pid_tgid == pid_tgid)
		return;
	if (n->flags & SOCK_OWNED && is_kernel_thread(pid_tgid))
		return;
	n->pid_tgid = pid_tgid;
	bpf_get_current_comm(n->comm, sizeof(n->comm));
	n->flags = (n->flags & ~SOCK_PASSES) | SOCK_OWNED | (filter_passes_as(pid_tgid) ? SOCK_PASSES : 0);
}

static __always_inline bool sock_is_made(int from, int to)
{
	return from == BPF_TCP_LISTEN && to == BPF_TCP_SYN_RECV;
}

/* A new one: NULL is a counted loss. The socket is made by a listening one, or begins, or is from before the run. */
static __always_inline struct sock_info *sock_info_new(const bool typed, struct sock *sk, __u64 key, int from, int to)
{
	struct sock_info fresh = {}, *listener;
	__u64 made_by;

	if (sock_is_made(from, to)) {
		made_by = listener_key(typed, sk);
		listener = sock_info_find(made_by);
		if (!listener && sock_owners_known)
			listener = sock_info_put(made_by, &fresh); /* for the next one */
		if (listener && sock_owner_is_open(listener))
			sock_owner_of_listener(typed, sk, listener);
		if (listener)
			fresh = *listener;
		fresh.flags |= SOCK_CHILD;
	}
	return sock_info_put(key, &fresh);
}

/* The info at a change of state, with the task that works on the socket, if one does. */
static __always_inline struct sock_info *sock_info_at(const bool typed, struct sock *sk, int from, int to)
{
	__u64 key = sock_key(typed, sk);
	struct sock_info *n = NULL;

	if (from != BPF_TCP_CLOSE && !sock_is_made(from, to))
		n = sock_info_find(key);
	if (!n)
		n = sock_info_new(typed, sk, key, from, to);
	if (n && sock_owner_is_open(n) && from != BPF_TCP_CLOSE && !sock_is_made(from, to))
		sock_owner_of(typed, sk, n);
	if (n && sock_is_owned(typed, sk))
		sock_info_task(n);
	if (n && to == BPF_TCP_LISTEN)
		sock_info_put(listener_key(typed, sk), n);
	return n;
}

static __always_inline void sock_info_end(const bool typed, struct sock *sk, int from)
{
	sock_info_drop(sock_key(typed, sk));
	if (from == BPF_TCP_LISTEN)
		sock_info_drop(listener_key(typed, sk));
}

static __always_inline bool sock_owner_passes(const struct sock_info *n)
{
	return !task_filtered || n->flags & SOCK_PASSES;
}

/* For a tool that only wants to know whose a socket is: at each change of state. */
static __always_inline void sock_info_follow(const bool typed, struct sock *sk, int from, int to)
{
	if (!sock_is_tcp(typed, sk))
		return;
	sock_info_at(typed, sk, from, to);
	if (to == BPF_TCP_CLOSE)
		sock_info_end(typed, sk, from);
}

/* Between two changes: one from before the run has one from now on. NULL: nothing is known of it. */
static __always_inline struct sock_info *sock_info_of(const bool typed, struct sock *sk)
{
	__u64 key = sock_key(typed, sk);
	struct sock_info *n = sock_info_find(key);

	if (!n && sock_owners_known)
		n = sock_info_new(typed, sk, key, 0, 0);
	if (n && sock_owner_is_open(n))
		sock_owner_of(typed, sk, n);
	return n;
}

static __always_inline bool sock_passes_by_owner(const bool typed, struct sock *sk)
{
	struct sock_info *n;

	if (!task_filtered)
		return true;
	n = sock_info_of(typed, sk);
	return n && n->flags & SOCK_PASSES;
}
