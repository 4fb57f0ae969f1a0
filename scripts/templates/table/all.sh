# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all. TODO wrong values of each option of its own.
often='--interval 50ms'
mistakes=
