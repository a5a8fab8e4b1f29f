"""Fixtures that these tests share with those of the service."""

from tests.pbem.conftest import set_table, shared_words

__all__ = ["set_table", "shared_words"]
