// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Packets that the kernel frees because something went wrong, where it does and why, counted in
 * the kernel or one by one. A packet that reached its end is consumed, which is another tracepoint.
 */
#include "core.h"

#include "lib/core/filter.h"
#include "lib/net/packet_device.h"
#include "lib/net/packet_filter.h"
#include "lib/core/wide_key_cache.h"
#include "dropmon.h"

#define STACK_PRIME 0x9e3779b97f4a7c15ULL
#define TCP_STATES 13
#define PLACE_FRAMES 12 /* of a stack that begins in the helper: so many are enough for the caller of kfree_skb() */

const volatile __u32 by;
const volatile bool listed;
const volatile bool unfiltered; /* none of the filters here and in lib/ is set: a constant that is asked costs three instructions */
const volatile bool has_reason; /* 5.17 and later: the third argument */
const volatile bool has_sock;   /* 6.11 and later: the fourth */
const volatile bool by_reasons;
const volatile __u32 wanted_reasons[DROP_REASONS]; /* 0 ends them: not dropped */
const volatile bool by_places;
const volatile __u64 place_from[DROP_PLACES], place_to[DROP_PLACES]; /* addresses [from, to); 0 ends them */
const volatile __u64 part_from[DROP_PARTS], part_to[DROP_PARTS]; /* the same, of kfree_skb() where it is in parts: else none */

WIDE_KEY_CACHE(cached, struct drop_key, struct drop_count);
TABLE(drops, struct drop_key, struct drop_count, 16384); /* what found no place in it */
TABLE(stacks, __u64, struct drop_stack, 4096);
EMIT_SCRATCH(stack_scratch, struct drop_stack);

static __always_inline bool reason_passes(__u32 reason)
{
	int i;

	for (i = 0; i < DROP_REASONS && wanted_reasons[i]; i++)
		if (wanted_reasons[i] == reason)
			return true;
	return false;
}

static __always_inline bool place_passes(__u64 place)
{
	int i;

	for (i = 0; i < DROP_PLACES && place_to[i]; i++)
		if (place >= place_from[i] && place < place_to[i])
			return true;
	return false;
}

static __always_inline bool is_in_parts(__u64 place)
{
	int i;

	for (i = 0; i < DROP_PARTS && part_to[i]; i++)
		if (place >= part_from[i] && place < part_to[i])
			return true;
	return false;
}

/*
 * Before 6.1 (c205cc7534a9) a compiler may split kfree_skb(), as Debian's did for 5.10 on arm64: then its second part names the
 * first one as the caller, and who called that is behind it on the stack. A place of which the stack knows nothing stays.
 */
static __always_inline __u64 caller_of_parts(tp_ctx *ctx, __u64 place)
{
	__u64 frames[PLACE_FRAMES] = {};
	int i;

	if (bpf_get_stack(ctx, frames, sizeof(frames), 0) < 0)
		return place;
	for (i = 0; i < PLACE_FRAMES - 1; i++)
		if (frames[i] == place && frames[i + 1])
			return frames[i + 1];
	return place;
}

/*
 * The key of the stack in stack_scratch, whose end bpf_get_stack() has filled with zeros. A global function: the verifier
 * walks its loop once, and not for each way to come here (for which Linux 5.10 took minutes).
 */
__noinline __u64 stack_key(void)
{
	struct drop_stack *stack = emit_scratch(&stack_scratch);
	__u64 key = STACK_PRIME;
	int i;

	if (!stack)
		return 0;
	for (i = 0; i < DROP_FRAMES; i++)
		key = (key ^ stack->frames[i]) * STACK_PRIME;
	return key;
}

/* The key of the stack in `stacks`, where it is kept by value: equal keys of two stacks are not to be expected. */
static __always_inline __u64 keep_stack(tp_ctx *ctx)
{
	struct drop_stack *stack = emit_scratch(&stack_scratch);
	__u64 key;
	long bytes;

	if (!stack)
		return 0;
	bytes = bpf_get_stack(ctx, stack->frames, sizeof(stack->frames), 0);
	key = stack_key();
	if (bytes > 0 && (bpf_map_lookup_elem(&stacks, &key) ||
			  !bpf_map_update_elem(&stacks, &key, stack, BPF_ANY)))
		return key;
	count_loss(LOSS_STACK);
	return 0;
}

/* Of a TCP socket. One of a handshake or of TIME_WAIT has the state in the same place, but no protocol. */
static __always_inline __u32 tcp_state(struct sk_buff *skb, struct sock *sk, const struct packet *p)
{
	__u32 state;

	if (p->protocol != PROTOCOL_TCP)
		return 0;
	if (!sk)
		sk = BPF_CORE_READ(skb, sk);
	if (!sk)
		return 0;
	state = BPF_CORE_READ(sk, __sk_common.skc_state);
	return state < TCP_STATES ? state : 0;
}

/* Messages between sockets of this machine (unix, netlink) have no ethertype, but a socket. */
static __always_inline __u32 local_family(struct sk_buff *skb)
{
	struct sock *sk = BPF_CORE_READ(skb, sk);

	return sk ? PACKET_FAMILY | BPF_CORE_READ(sk, __sk_common.skc_family) : 0;
}

/* What calls others is done before the record is there: 5.10 forgets a pointer that may be NULL when it is put aside. */
static __always_inline void send(tp_ctx *ctx, struct sk_buff *skb, struct sock *sk, __u64 place, __u32 reason,
				 const struct packet *p, const struct packet_reader *r)
{
	const __u64 size = packet_headers ? sizeof(struct drop_event) : PACKET_BYTES_WITHOUT_HEADERS(struct drop_event);
	__u64 stack = by & DROP_BY_STACK ? keep_stack(ctx) : 0;
	__u64 pid_tgid = filter_pid_tgid();
	__u32 state = tcp_state(skb, sk, p);
	struct drop_event *e;

	e = emit_reserve(size);
	if (!e)
		return;
	e->ts_ns = bpf_ktime_get_ns();
	e->place = place;
	e->stack = stack;
	e->packet = *p;
	e->reason = reason;
	e->state = state;
	e->tgid = pid_tgid >> 32;
	e->tid = pid_tgid;
	bpf_get_current_comm(e->comm, sizeof(e->comm));
	if (packet_headers) {
		e->header_bytes = packet_copy_headers(r, p, &e->headers);
	} else {
		e->header_bytes = 0;
		__builtin_memset(e->headers, 0, 4);
	}
	emit_submit(e, size);
}

static __always_inline void count(tp_ctx *ctx, const __u32 keys, __u64 place, __u32 reason, const struct packet *p)
{
	static const struct drop_count zero;
	struct drop_key key = {.by = keys};
	struct drop_count *n;

	if (keys & DROP_BY_PLACE)
		key.place = place;
	if (keys & DROP_BY_REASON)
		key.reason = reason;
	if (keys & DROP_BY_PROTOCOL) {
		key.ethertype = p->ethertype;
		key.protocol = p->protocol;
	}
	if (keys & DROP_BY_DEVICE) {
		key.ifindex = p->ifindex;
		key.netns = p->netns;
		__builtin_memcpy(key.dev, p->dev, sizeof(key.dev));
	}
	if (keys & DROP_BY_STACK)
		key.stack = keep_stack(ctx);
	n = wide_key_cache_find(&cached, &drops, &key, sizeof(key) / 8, &zero);
	if (!n)
		return;
	__sync_fetch_and_add(&n->drops, 1);
	__sync_fetch_and_add(&n->bytes, p->bytes);
}

/* Where the network header begins; a packet that has not come so far begins with it, as far as is known. */
static __always_inline __u32 network_header(const bool typed, struct sk_buff *skb)
{
	__u32 at = LOAD(skb, network_header);

	return at ?: (__u32)(LOAD(skb, data) - LOAD(skb, head));
}

/* What can be said before the packet is looked at. */
static __always_inline bool drop_passes(__u64 place, __u32 reason)
{
	return (!by_reasons || reason_passes(reason)) && (!by_places || place_passes(place)) &&
	       (!task_filtered || filter_passes());
}

/* Of the packet not more than its size is needed. */
static __always_inline void count_unseen(const bool typed, tp_ctx *ctx, struct sk_buff *skb, const __u32 keys,
					 __u64 place, __u32 reason)
{
	const struct packet p = {.bytes = packet_bytes(typed, skb, network_header(typed, skb))};

	count(ctx, keys & (DROP_BY_PLACE | DROP_BY_REASON), place, reason, &p);
}

static __always_inline void look_at(const bool typed, tp_ctx *ctx, struct sk_buff *skb, const __u32 keys,
				    __u64 place, __u32 reason)
{
	const bool list = listed, all = unfiltered;
	struct packet_reader r = {};
	struct sock *sk = NULL;
	struct packet p = {};

	if (has_sock)
		sk = (void *)ctx[3];
	if (list || keys & DROP_BY_DEVICE || (!all && (packet_netns || packet_ifindex)))
		packet_fill_device(typed, skb, sk, &p);
	if (!all && !packet_device_passes(p.ifindex, p.netns))
		return;
	if (list || keys & DROP_BY_PROTOCOL || (!all && packet_headers_filtered()))
		r = packet_parse(typed, skb, network_header(typed, skb), list || packet_by_ports, &p);
	else
		p.bytes = packet_bytes(typed, skb, network_header(typed, skb));
	if (!all && !packet_passes(&p))
		return;
	if ((list || keys & DROP_BY_PROTOCOL) && !p.ethertype)
		p.ethertype = local_family(skb);
	if (list || keys & DROP_BY_DEVICE)
		packet_name_device(typed, skb, &p);
	if (list)
		send(ctx, skb, sk, place, reason, &p, &r);
	else
		count(ctx, keys, place, reason, &p);
}

TRACEPOINT(kfree_skb, struct sk_buff *skb, void *location)
{
	const __u32 keys = by;
	__u32 reason = DROP_NO_REASON;
	__u64 place = ctx[1];

	(void)location;
	if (has_reason)
		reason = ctx[2];
	if (part_to[0] && is_in_parts(place))
		place = caller_of_parts(ctx, place);
	if (!unfiltered && !drop_passes(place, reason))
		return 0;
	if (unfiltered && !listed && !(keys & ~(DROP_BY_PLACE | DROP_BY_REASON)))
		count_unseen(typed, ctx, skb, keys, place, reason);
	else
		look_at(typed, ctx, skb, keys, place, reason);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
