"""Writes web/src/api/types.gen.ts: the server's schemas as TypeScript. `make types` calls it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from server.openapi import document
from server.routes.table import OPERATIONS
from server.typescript import typescript

TARGET = Path(__file__).parents[1] / "web" / "src" / "api" / "types.gen.ts"


if __name__ == "__main__":
    TARGET.write_text(typescript(document(OPERATIONS)), encoding="utf-8")
    print(f"wrote {TARGET}")
