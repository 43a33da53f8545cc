#!/usr/bin/env python3
"""The checker of the Python package as a program: one JSON verdict for each document.

    check_exports.py [--chain] [--trust FILE [--log NAME]] [--declaration FILE] [--no-trust] [FILE ...]

reads JSON or NDJSON from the files, or from standard input; with --chain the lines of one file are the entries of one chain
and get one verdict. `valid` is about the file, `inChain`, `signed` and `witnessed` are about its log, which needs a policy;
`standing` sums them up. Exit status 0 when everything holds under the policy (with --no-trust: agrees with itself), 1 when
something is altered, 2 when something is not a proof, 3 when nobody of the policy vouches for something, something is test data
of a sandbox, was signed and then lost by the declaration of its log, was made by a newer version, or does not show under which
rules it was sealed.
"""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python/src"))
from countersign.proof._export import *  # noqa: E402, F403
from countersign.proof._export import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
