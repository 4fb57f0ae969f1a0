/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Signals: include/linux/signal_types.h, uapi/asm-generic/siginfo.h */
#pragma once

#include "core.h"

struct kernel_siginfo {
	int si_code;
} CORE;

/* Codes that a program compares with: SI_USER and those below 0 may come from a process, those above do not. */
#define SI_USER 0
#define SI_QUEUE -1
#define SI_TIMER -2
#define SI_MESGQ -3
#define SI_TKILL -6
#define SI_KERNEL 0x80

#define SIGCHLD 17
