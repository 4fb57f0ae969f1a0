# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
# shellcheck disable=SC2034,SC2016 # for tests/lib/all, whose command's shell expands it
often='--interval 50ms --vectors'
with=heatmap
work='i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done'
mistakes="
2 --by moon not 'moon'
2 --cpu -1
2 --cpu 65536
2 --cpu moon
1 --cpu 65535 no such CPU: 65535 (the last one is
"
