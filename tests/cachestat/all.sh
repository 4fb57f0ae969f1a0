# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
often='--interval 50ms'
by_process='--interval 50ms --by process'
mistakes="
2 --by moon
2 --sort hits --sort is not for the lines (see --by)
2 --rows 3
2 --by=file --sort=moon
"
