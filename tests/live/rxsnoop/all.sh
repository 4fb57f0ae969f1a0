# For tests/live/all.
# shellcheck disable=SC2034 # for tests/live/all
often=''
work="for i in 1 2 3 4 5 6 7; do \"\$WORKLOADS/datagrams\" read 4 53 47064; \"\$WORKLOADS/datagrams\" refused 6 11 47064; done >/dev/null"
with=heatmap
mistakes="
1 --dev nosuch0 no network device nosuch0
1 --dev a-name-that-is-much-too-long
1 --netns nosuch no network namespace nosuch
1 --netns GONE no such process
1 --netns DIR
2 --netns EMPTY
2 --protocol moon not 'moon'
2 --protocol 256
2 --protocol 0x10000
2 --protocol tcp,
2 --protocol EMPTY
2 --protocol 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17 at most 16
2 --port 0
2 --port 65536
2 --port http
2 --port 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33 at most 32
2 --address EMPTY
2 --address localhost not 'localhost'
2 --address 10.0.0.0/33
2 --address fe80::/129
2 --interval 1 is for --rate and --histogram
2 --count 1 is for --rate and --histogram
2 --sort dev is for the table
2 --output perfetto
2 --output heatmap
"
