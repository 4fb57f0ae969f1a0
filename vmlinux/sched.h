/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The scheduler and the numbers of tasks: kernel/sched/sched.h, include/linux/sched.h, pid.h, pid_namespace.h */
#pragma once

#include "core.h"

struct rq;

struct cfs_rq {
	struct rq *rq;
	int throttle_count; /* how many groups from this one up are out of quota; only with CONFIG_CFS_BANDWIDTH */
} CORE;

/* A CPU's run queue, whose clock is set at each switch. */
struct rq {
	unsigned int nr_running; /* threads of all classes that want the CPU, and the one that has it */
	__u64 clock;
	struct cfs_rq cfs;
} CORE;

/* Of tasks of every class; cfs_rq with CONFIG_FAIR_GROUP_SCHED. */
struct sched_entity {
	struct cfs_rq *cfs_rq;
	__u64 sum_exec_runtime; /* ns on a CPU, up to its last switch or tick */
} CORE;

/*
 * A task's waits for a CPU, by the clock of the run queue. A wait that ends on another CPU is in
 * parts: what was waited before it moved is in run_delay already, and last_queued is when it moved.
 */
struct sched_info {
	unsigned long pcount;	    /* times that it got a CPU */
	unsigned long long run_delay; /* ns that it waited, up to its last arrival or move */
	unsigned long long last_arrival; /* on its CPU */
	unsigned long long last_queued; /* 0: it does not wait, or was put aside when it was about to sleep */
} CORE;

#define MAX_RT_PRIO 100 /* task_struct.prio from here on: the fair class, and idle tasks */

/* task_struct.__state */
#define TASK_INTERRUPTIBLE 0x1
#define TASK_UNINTERRUPTIBLE 0x2
#define TASK_STOPPED 0x4
#define TASK_TRACED 0x8
#define TASK_PARKED 0x40
#define TASK_DEAD 0x80 /* it does not come back */
#define TASK_NOLOAD 0x400 /* asleep without being counted in the load average */

struct ns_common {
	unsigned int inum;
} CORE;

struct pid_namespace {
	struct ns_common ns;
} CORE;

struct upid {
	int nr;
	struct pid_namespace *ns;
} CORE;

struct pid {
	unsigned int level;
	struct upid numbers[]; /* one for each namespace that the task is in, its own at `level` */
} CORE;
