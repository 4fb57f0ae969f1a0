/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One tracepoint body, two programs. Hosts differ in what they permit: tp_btf gives typed
 * arguments and direct loads where BPF_PROG_TYPE_TRACING is allowed, raw_tp works nearly
 * everywhere. TRACEPOINT(name, args) { body } makes name__btf and name__raw from the same
 * body; user space loads one of them.
 *
 * The body sees `ctx` and a constant `typed`. LOAD(p, field) is a direct load in the first
 * and a probe read in the second; it takes one field of a typed kernel pointer, also of an
 * argument that was passed on to an inlined function together with `typed`.
 */
#pragma once

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

typedef unsigned long long tp_ctx;

#define TRACEPOINT(name, args...)                                                                  \
	TRACEPOINT_AT(name, #name, ##args)

/* For a program that is not named like its tracepoint. libbpf's cast counts the arguments. */
#define TRACEPOINT_AT(name, tracepoint, args...)                                                   \
	static __always_inline int name##_body(const bool typed, tp_ctx *ctx, ##args);            \
	_Pragma("GCC diagnostic push")                                                             \
	_Pragma("GCC diagnostic ignored \"-Wint-conversion\"")                                     \
	SEC("tp_btf/" tracepoint) int name##__btf(tp_ctx *ctx)                                     \
	{                                                                                          \
		return name##_body(true, ___bpf_ctx_cast(args));                                   \
	}                                                                                          \
	SEC("raw_tp/" tracepoint) int name##__raw(tp_ctx *ctx)                                     \
	{                                                                                          \
		return name##_body(false, ___bpf_ctx_cast(args));                                  \
	}                                                                                          \
	_Pragma("GCC diagnostic pop")                                                              \
	static __always_inline int name##_body(const bool typed, tp_ctx *ctx, ##args)

#define LOAD(p, field) (typed ? (p)->field : BPF_CORE_READ(p, field))

/*
 * The n-th argument, as a pointer that the verifier knows where tracepoint or function is typed. In assembly, because the compiler
 * makes one load from a chosen place of two from constant ones, and the verifier takes only those.
 */
static __always_inline __u64 typed_arg(tp_ctx *ctx, const __u32 n)
{
	__u64 value;

	asm volatile("%0 = *(u64 *)(%1 + %2)" : "=r"(value) : "r"(ctx), "i"(n * sizeof(*ctx)));
	return value;
}
