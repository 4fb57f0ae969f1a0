# For tests/lib/all. TODO wrong values of each option of its own.
mistakes=
