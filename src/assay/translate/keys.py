"""Keys of online engines: from the environment or the system's keyring, and never anywhere else.

    key = find_key("OPENAI_API_KEY", engine="openai")
    key                # Key(OPENAI_API_KEY)
    key.reveal()       # for the one request that needs it

Stored in the keyring with `keyring set assay OPENAI_API_KEY`.
"""

import os
import re

from assay.errors import BadOption
from assay.translate.engine import Refused
from assay.translate.options import Options

SERVICE = "assay"


class Key:
    """A secret that shows its name wherever it is printed."""

    __slots__ = ("_secret", "name")

    def __init__(self, name: str, secret: str) -> None:
        self.name = name
        self._secret = secret

    def reveal(self) -> str:
        """The secret itself."""
        return self._secret

    def hide(self, text: str) -> str:
        """A text of somebody else without the secret, should it hold it."""
        return text.replace(self._secret, "[key]")

    def __repr__(self) -> str:
        return f"Key({self.name})"

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a key is not written to files or sent to other processes")


def find_key(name: str, *, engine: str) -> Key:
    """The key under this name; `Refused` if there is none."""
    found = os.environ.get(name, "").strip() or _from_keyring(name)
    if not found:
        raise Refused(f"{engine} needs a key: set {name}, or run: keyring set {SERVICE} {name}")
    # An HTTP header takes ASCII only, and the error of a library would show the whole header.
    if not all("!" <= character <= "~" for character in found):
        raise Refused(f"{engine}: {name} holds spaces or characters that no key has; copy the key again")
    return Key(name, found)


def chosen_key(options: Options, usual: str, *, needed: bool) -> Key | None:
    """The key of an engine: under `key_env` if the user named a variable, else under its usual name where `needed`.

    The usual key is for the usual host. It does not go to another one unless the user says so.
    """
    named = options.text("key_env")
    if named is not None and not re.fullmatch(r"[A-Z_][A-Z0-9_]{0,63}", named):
        raise BadOption(f"{options.engine}: key_env takes the name of a variable in capitals, as {usual}, not a key")
    if named is None and not needed:
        return None
    return find_key(named or usual, engine=options.engine)


def _from_keyring(name: str) -> str:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return ""
    try:
        return (keyring.get_password(SERVICE, name) or "").strip()
    except KeyringError:  # a server without a desktop has no keyring that could be opened
        return ""
