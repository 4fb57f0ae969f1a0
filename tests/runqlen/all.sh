# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
# shellcheck disable=SC2034 # for tests/lib/all
often='--interval 50ms'
kept=$((1 << 38 | 1 << 39)) # PERFMON, BPF
mistakes="
2 --frequency 0
2 --frequency -1
2 --frequency 100001
2 --frequency many
2 --occupancy=1
2 --occupancy --output=heatmap
2 --sort=cpu
2 --columns=cpu
"
