/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How a lookup ended. The functions without _r keep h_errno in memory of the thread, at a place that
 * only the library knows; but they call one with _r for the work, which is given a place to put it.
 */
#pragma once

#include "lookup.h"
#include "lib/user/user_call.h"

static __always_inline bool answers_by_h_errno(__u32 call)
{
	return call == CALL_GETHOSTBYNAME || call == CALL_GETHOSTBYNAME2 || call == CALL_GETHOSTBYADDR;
}

static __always_inline __s32 read_int(__u64 address)
{
	__s32 value = 0;

	bpf_probe_read_user(&value, sizeof(value), (void *)address);
	return value;
}

/* Where the last two arguments of the ..._r functions point to. */
static __always_inline void save_answer(struct lookup *l, struct pt_regs *ctx, __u32 call, bool narrow)
{
	if (call == CALL_GETHOSTBYNAME_R) {
		l->result_at = user_arg(ctx, narrow, 4);
		l->h_errno_at = user_arg(ctx, narrow, 5);
	} else if (call == CALL_GETHOSTBYNAME2_R) {
		l->result_at = user_arg(ctx, narrow, 5);
		l->h_errno_at = user_arg(ctx, narrow, 6);
	} else if (call == CALL_GETHOSTBYADDR_R) {
		l->result_at = user_arg(ctx, narrow, 6);
		l->h_errno_at = user_arg(ctx, narrow, 7);
	}
}

static __always_inline __u32 read_answer_r(struct lookup *l, __s32 err, __s32 *code)
{
	__s32 value;

	if (!err && user_word(l->result_at, l->narrow))
		return HOST_OK;
	value = read_int(l->h_errno_at);
	*code = value > 0 ? value : err;
	return value > 0 ? HOST_H_ERRNO : err ? HOST_ERRNO : HOST_FAILED;
}

static __always_inline __u32 read_answer(struct lookup *l, __u64 returned, __s32 *code)
{
	__u32 call = l->e.call;

	if (call == CALL_GETADDRINFO || call == CALL_GETNAMEINFO) {
		*code = (__s32)returned;
		return *code ? HOST_EAI : HOST_OK;
	}
	if (!answers_by_h_errno(call))
		return read_answer_r(l, (__s32)returned, code);
	if (l->narrow ? (__u32)returned : returned)
		return HOST_OK;
	*code = l->h_errno_value;
	return *code > 0 ? HOST_H_ERRNO : HOST_FAILED;
}
