/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The path of a cgroup, as lib/core/ended_groups.h keeps it. */
#pragma once

/* Longer than that of a container in a container of Kubernetes, and short enough for the stack; of others the end is lost. */
struct group_path {
	char text[440];
};
