"""`python -m contend` is the command `contend`."""

from contend.cli.app import main

if __name__ == "__main__":
    main()
