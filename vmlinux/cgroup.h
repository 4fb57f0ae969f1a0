/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Control groups, and whom a bio is charged to: include/linux/cgroup-defs.h, block/blk-cgroup.h */
#pragma once

#include "core.h"
#include "kernfs.h"

/* A controller of a group; its parent is the nearest group above where the controller is enabled. */
struct cgroup_subsys_state {
	struct cgroup *cgroup;
	struct cgroup_subsys_state *parent;
} CORE;

struct cgroup_root {
	int hierarchy_id; /* 0: of cgroup v2 */
} CORE;

struct cgroup {
	struct cgroup_subsys_state self; /* its parent is the group above */
	struct kernfs_node *kn;
	struct cgroup_root *root;
} CORE;

/* A task's groups. */
struct css_set {
	struct cgroup *dfl_cgrp; /* of cgroup v2 */
} CORE;

struct blkcg {
	struct cgroup_subsys_state css;
} CORE;

struct blkcg_gq {
	struct blkcg *blkcg;
} CORE;
