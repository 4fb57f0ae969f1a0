# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
often='--interval 50ms'
mistakes="
2 --by-owner moon not 'moon'
2 --by-owner EMPTY
2 --blocked
2 --output=perfetto
"
