import pytest

from pbem.errors import Misuse, PbemError, Refused, SettingsError, TryLater, exit_code


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Refused("a"), 1),
        (Misuse("a"), 2),
        (SettingsError("a"), 2),
        (PbemError("a"), 70),
        (TryLater("a"), 75),
        (ValueError(), 70),
        (KeyboardInterrupt(), 130),
    ],
)
def test_each_error_has_its_exit_code(error, code):
    assert code == exit_code(error)


def test_error_shows_its_key_and_fields():
    error = Refused("game.over", key="game", game=12)

    assert ("game.over", (("key", "game"), ("game", 12))) == (error.key, error.fields)
    assert str(error) == "game.over key=game game=12"
