"""`tables`: the component tables of a title, with source and status."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.output import columns, print_json, print_text
from pbem.cli.shared import AsJson


def tables(
    ruleset: Annotated[str, typer.Argument(help="The title.")],
    output: Annotated[
        Path | None, typer.Option(help="Write the tables there, to be corrected and used for games.")
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Show where the component values of a title come from, or write them to a file."""
    from engine.core.tables import provenance
    from engine.registry import packaged_tables

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
    print_text(columns([("block", "status", "source"), *((one.block, one.status, one.source) for one in blocks)]))
