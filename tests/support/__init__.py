"""What tests of several folders share: files, networks and launches whose truth is known."""
