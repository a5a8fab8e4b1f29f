"""All checks in order, each told and timed: `python -m tests [arguments for pytest]`."""

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
CHECKS = (
    ("format", ("-m", "ruff", "format", "--check", ".")),
    ("lint", ("-m", "ruff", "check", ".")),
    ("types", ("-m", "mypy")),
    ("imports", ("-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-logo")),
    ("tests", ("-m", "pytest", "-n", "auto", "--dist", "loadgroup")),
)


def main(arguments: list[str]) -> int:
    """Run the checks and return 1 if one of them failed; the others run all the same, the tests last."""
    failed = []
    for name, command in CHECKS:
        print(f"== {name}", flush=True)
        start = time.monotonic()
        extra = arguments if name == "tests" else []
        if subprocess.run([sys.executable, *command, *extra], cwd=ROOT, check=False).returncode:
            failed.append(name)
        print(f"== {name}: {'failed' if name in failed else 'good'}, {time.monotonic() - start:.0f} s", flush=True)
    print(f"== {'failed: ' + ', '.join(failed) if failed else 'all good'}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
