# For tests/live/all.
work="for i in 1 2 3; do \"\$WORKLOADS/losses\" 4 some 23; \"\$WORKLOADS/losses\" 6 fast 23; done >/dev/null"
mistakes="
2 --local-port 0
2 --local-port 65536
2 --local-port http
2 --local-port 1,
2 --local-port 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33 at most 32
2 --remote-port 0
2 --remote-port 65536
2 --remote EMPTY
2 --remote localhost not 'localhost'
2 --remote 10.0.0.0/33
2 --local EMPTY
2 --local localhost not 'localhost'
2 --uid root
2 --uid 4294967296
2 --interval 1s for the table of --flows
2 --count 3 for the table of --flows
2 --sort segments for the table of --flows
2 --rows 3 for the table of --flows
2 --flows --loss-probes no retransmits
2 --flows --sort=segments
2 --output perfetto
"
