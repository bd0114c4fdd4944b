"""The Python interface: samples, networks and flows as objects, tables in and out."""
