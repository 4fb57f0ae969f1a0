# For tests/live/all.
# shellcheck disable=SC2034 # for tests/live/all
often='--interval 50ms'
work="for i in 1 2 3 4 5 6 7; do \"\$WORKLOADS/datagrams\" closed 4 53 47063; \"\$WORKLOADS/datagrams\" refused 6 11 47063; done >/dev/null"
mistakes="
2 --by moon not 'moon'
2 --by EMPTY
2 --by place,
2 --reason MOON not 'MOON'
2 --reason EMPTY
2 --reason NO_SOCKET,
1 --place no_such_function no function of the kernel
2 --place EMPTY
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
2 --output perfetto
"
