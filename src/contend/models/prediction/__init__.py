"""Network to times: with an interval, and held against measurements."""
