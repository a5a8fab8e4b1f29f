"""`tables`: the component tables of a title, with source and status, and its options."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.output import columns, print_json, print_text
from pbem.cli.shared import TITLES, AsJson


def tables(
    ruleset: Annotated[str, typer.Argument(help=TITLES)],
    output: Annotated[
        Path | None, typer.Option(help="Write the tables there, to be corrected and used for games.")
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Show the options of a title and where its component values come from, or write these to a file."""
    from engine.core.tables import provenance
    from engine.registry import load, packaged_tables

    packaged = packaged_tables(ruleset)
    if output is not None:
        output.write_text(packaged.text, encoding="utf-8")
    blocks = provenance(packaged)
    if as_json:
        listed = [{"block": one.block, "status": one.status, "source": one.source} for one in blocks]
        print_json({"ruleset": ruleset, "digest": packaged.digest, "blocks": listed})
        return
    if output is not None:
        print_text(f"Written to {output}. Use it with: pbem game new {ruleset} --tables {output} …")
        return
    options = [(name, one.default, " ".join(one.choices)) for name, one in load(ruleset).options.items()]
    if options:
        print_text(columns([("option", "default", "choices"), *options]) + "\n")
    print_text(columns([("block", "status", "source"), *((one.block, one.status, one.source) for one in blocks)]))
