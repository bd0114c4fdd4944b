"""Campaigns as whole jobs: options in, a file of samples and a result out; a file per kind."""
