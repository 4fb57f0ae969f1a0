# For tests/lib/all. TODO wrong values of each option of its own.
often='--interval 50ms'
mistakes=
