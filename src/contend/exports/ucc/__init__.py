"""The variable UCC_TL_UCP_TUNE: what its value says, and what is wrong with it."""
