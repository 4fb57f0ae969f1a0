# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
# shellcheck disable=SC2034 # for tests/lib/all
often=''
work="for i in 1 2 3 4 5 6 7; do \"\$WORKLOADS/datagrams\" read 4 53 17064; \"\$WORKLOADS/datagrams\" refused 6 11 17064; done >/dev/null"
with="heatmap openmetrics"
mistakes="$packet_mistakes
2 --interval 1 is not for the list of packets (see --rate and --histogram)
2 --count 1 is not for the list of packets (see --rate and --histogram)
2 --sort dev is not for the list of packets (see --rate and --histogram)
2 --output perfetto
2 --output heatmap
"
