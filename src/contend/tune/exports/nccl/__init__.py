"""What the formats of rules for NCCL and RCCL share: CSV of their tuners."""
