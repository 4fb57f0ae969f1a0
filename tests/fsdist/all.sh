# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
often='--interval 50ms'
mistakes="
2 --type ext9
1 --type bcachefs
2 --op readdir
2 --by day
2 --via magic
"
