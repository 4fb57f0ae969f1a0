# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
often='--interval 50ms'
mistakes="
2 --by moon not 'moon'
2 --of=short --calls=readv
2 --calls moon
2 --calls read,
2 --of most
2 --on moon
"
