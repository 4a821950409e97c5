"""`python -m server` is the `ibid` command."""

import sys

from server.cli import main

if __name__ == "__main__":
    sys.exit(main())
