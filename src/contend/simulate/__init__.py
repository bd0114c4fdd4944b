"""Networks that are computed: topologies, flows that share them, measured graphs."""
