"""Damage: what happens to files on their way, what people paste, and what attackers write."""

import gzip
import json
import re
import sqlite3
from collections.abc import Callable, Sequence
from io import BytesIO
from random import Random
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

LARGEST = 3_000_000
"""Bytes of a mutated file: this looks for mistakes in reading, not for the time that large files take."""

NUMBERS = [*b"0 -1 1e999 -0.0 NaN Infinity 0x1f 1_000".split(), b"9" * 25, b"9" * 5_000, "٣".encode()]

_SIGNS = r"""
    \ud800 \u0000 \ " ' "" '' ` null true [] {} { } [ ] , : - = @ + ~ pass fail regex exact item text system
    *a &a <<:*a !!python/name:os.system !!binary %YAML & &x; < <!DOCTYPE <![CDATA[ ]]> </seg> <?xml?> ../ /etc/passwd
    CON (a+)+$ (?:ab?){1000000} (((ab?){999}){999}){999} (?x)(?:a{1,9}?){3000000} (?P<x>a)(?P=x) (?<
    {who} {who.xx} {0} {no.de}
"""
_CHARACTERS = "\x1b[2J \x1b]0;x\x07 \x7f \x85 \u2028 \u202e \ufeff \ufffe e\u0301 \U0010ffff"
_SPACES = ("\t", "\r", "\r\n", "\n", "\n\n", " ", ": ", "- ", "? ", "# ", "|\n", ">\n", "---\n")
_MANY = (("[", 5_000), ("{a: ", 3_000), ('{"a":', 5_000), ("(", 3_000), ("- ", 3_000), ("<a>", 3_000), ("x", 150_000))
_MANY_SPACES = (("\t", 5_000), ("\n", 20_000), ("word ", 30_000))

TOKENS = [
    *NUMBERS,
    *(word.encode() for word in (*_SIGNS.split(), *_CHARACTERS.split(" "), *_SPACES)),
    *(word.encode() * times for word, times in (*_MANY, *_MANY_SPACES)),
    *(b"\x00", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xfe\xff"),  # no characters, half of one, byte order marks
]

_TEXTS = ("", "x", "\x00", "[", "{}", "null", '{"a": 1}', "pass", "9" * 5_000)

VALUES = [None, *_TEXTS, -1, 0, 1, 2**31, 2**62, 1.5, b"\xff\xfe"]
"""What stands in a cell of a damaged database."""

Mutation = Callable[[Random, bytes], bytes]


def mutate(chance: Random, name: str, data: bytes) -> bytes:
    """A damaged file; of a packed one sometimes what is in it."""
    if name.endswith(".db") and chance.random() < 0.6:
        return _database(chance, data)
    if name.endswith(".gz") and chance.random() < 0.5:
        return gzip.compress(_some(chance, gzip.decompress(data)), mtime=0)
    if name.endswith((".xlsx", ".zip")) and chance.random() < 0.7:
        return _archive(chance, data)
    return _some(chance, data)


def _some(chance: Random, data: bytes) -> bytes:
    for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
        data = chance.choice(MUTATIONS)(chance, data)[:LARGEST]
    return data


def _place(chance: Random, data: bytes) -> int:
    return chance.randint(0, len(data))


def _slice(chance: Random, data: bytes) -> tuple[int, int]:
    start = _place(chance, data)
    return start, min(len(data), start + chance.choice((1, 2, 5, 20, 100, len(data))))


def flip(chance: Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 3, 20)) if data else 0):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def cut(chance: Random, data: bytes) -> bytes:
    return data[: _place(chance, data)]


def leave_out(chance: Random, data: bytes) -> bytes:
    start, end = _slice(chance, data)
    return data[:start] + data[end:]


def repeat(chance: Random, data: bytes) -> bytes:
    start, end = _slice(chance, data)
    return data[:end] + data[start:end] * chance.choice((1, 2, 10, 300)) + data[end:]


def insert(chance: Random, data: bytes) -> bytes:
    place = _place(chance, data)
    return data[:place] + chance.choice(TOKENS) + data[place:]


def replace_word(chance: Random, data: bytes) -> bytes:
    """A word, number or sign becomes a token, or another word of the file."""
    words = list(re.finditer(rb"[\w.-]+|[^\w\s]", data))
    if not words:
        return chance.choice(TOKENS)
    word = chance.choice(words)
    other = chance.choice(TOKENS) if chance.random() < 0.7 else chance.choice(words)[0]
    return data[: word.start()] + other + data[word.end() :]


def replace_number(chance: Random, data: bytes) -> bytes:
    numbers = list(re.finditer(rb"-?\d+(\.\d+)?", data))
    if not numbers:
        return insert(chance, data)
    number = chance.choice(numbers)
    return data[: number.start()] + chance.choice(NUMBERS) + data[number.end() :]


def move_line(chance: Random, data: bytes) -> bytes:
    """A line twice, nowhere, or somewhere else."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    line = lines.pop(chance.randrange(len(lines)))
    for _ in range(chance.randrange(3)):
        lines.insert(chance.randint(0, len(lines)), line)
    return b"".join(lines)


def nest(chance: Random, data: bytes) -> bytes:
    start, end = _slice(chance, data)
    before, after = chance.choice(((b"[", b"]"), (b"{a: ", b"}"), (b'{"a": ', b"}"), (b"(", b")"), (b"<a>", b"</a>")))
    depth = chance.choice((1, 50, 2_000))
    return data[:start] + before * depth + data[start:end] + after * depth + data[end:]


def encode_again(chance: Random, data: bytes) -> bytes:
    """In another encoding, or as a file that was taken for one and saved."""
    text = data.decode("utf-8", "replace")
    how = chance.choice(("utf-16", "utf-16-be", "utf-32", "latin-1", "utf-8-sig", "twice", "cp437"))
    return data.decode("latin-1").encode() if how == "twice" else text.encode(how, "replace")


def change_value(chance: Random, data: bytes) -> bytes:
    """A value somewhere in a JSON object becomes one of another kind."""
    lines = data.split(b"\n")
    place = chance.randrange(len(lines))
    try:
        record = json.loads(lines[place] if len(lines) < 50 and lines[place].startswith(b"{") else data)
    except ValueError:
        return replace_word(chance, data)
    inner: object = record
    while isinstance(inner, (dict, list)) and inner:
        key = chance.choice(list(inner) if isinstance(inner, dict) else range(len(inner)))
        below = inner[key]
        if not isinstance(below, (dict, list)) or not below or chance.random() < 0.3:
            inner[key] = chance.choice((None, True, 0, -1, 1.5, 10**30, "", "x", [], {}, [[]], {"a": {}}, "\ud800"))
            break
        inner = below
    changed = json.dumps(record).encode()
    return changed if not lines[place].startswith(b"{") else b"\n".join([*lines[:place], changed, *lines[place + 1 :]])


MUTATIONS: Sequence[Mutation] = (
    *(flip, cut, leave_out, repeat, insert, insert, replace_word, replace_word, replace_number, move_line, nest),
    *(encode_again, change_value),
)


def _archive(chance: Random, data: bytes) -> bytes:
    """A zip file with one of its parts damaged, missing, or twice."""
    stream = BytesIO()
    with ZipFile(BytesIO(data)) as old, ZipFile(stream, "w", ZIP_DEFLATED) as new:
        names = old.namelist()
        chosen, missing = chance.choice(names), chance.random() < 0.1
        for name in names:
            part = old.read(name)
            if name == chosen and missing:
                continue
            # `ZipInfo` has a date of its own; a name alone would get the time of day, and no run could be repeated.
            new.writestr(ZipInfo(name), _some(chance, part) if name == chosen else part, ZIP_DEFLATED)
        if chance.random() < 0.1:
            strange = chance.choice(("../out.txt", "/out.txt", "a/../../b", "C:\\x", "x" * 300, "a\x00b"))
            new.writestr(ZipInfo(strange), b"x", ZIP_DEFLATED)
    return stream.getvalue()


def _database(chance: Random, data: bytes) -> bytes:
    """A database in which something stands that the application would never write."""
    db = sqlite3.connect(":memory:")
    # Bytes 18 and 19 say that there is a write-ahead log (2), which a database in memory cannot have (1).
    db.deserialize(data[:18] + b"\1\1" + data[20:])
    tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    for _ in range(chance.choice((1, 1, 3))):
        table = chance.choice(tables)
        columns = [row[1] for row in db.execute(f'PRAGMA table_info("{table}")')]
        rows = [row[0] for row in db.execute(f'SELECT rowid FROM "{table}" ORDER BY rowid')]
        if not rows:
            continue
        try:
            if chance.random() < 0.15:
                db.execute(f'DELETE FROM "{table}" WHERE rowid = ?', (chance.choice(rows),))
            else:
                statement = f'UPDATE "{table}" SET "{chance.choice(columns)}" = ? WHERE rowid = ?'
                db.execute(statement, (chance.choice(VALUES), chance.choice(rows)))
        except sqlite3.Error:
            continue  # a constraint: this damage cannot happen
    db.commit()
    changed = db.serialize()
    return changed[:18] + data[18:20] + changed[20:]
