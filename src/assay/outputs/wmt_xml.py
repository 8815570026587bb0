"""WMT XML: `dataset > [collection >] doc > src | ref | hyp > p > seg`, several systems in one file.

A segment is known by `doc/seg`. A segment that a system skipped is a missing output.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import BadFile, BadOption
from assay.files import read_text, writing
from assay.languages import split_pair
from assay.limits import check_text
from assay.outputs.outputs import System
from assay.outputs.submission import NamedFile, Submission
from assay.suites import Suite

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

Segments = dict[str, str]


def _docs(path: Path) -> Iterator[tuple[str, "Element"]]:
    """Every document with its id, which must be unique in the file."""
    # Imported here: most runs read no XML.
    from xml.etree import ElementTree

    try:
        root = ElementTree.fromstring(read_text(path))
    except ElementTree.ParseError as error:
        raise BadFile(path, f"broken XML: {error.msg}", line=error.position[0], cure="repair the file") from None
    seen = set()
    for doc in root.iter("doc"):
        name = doc.get("id") or ""
        if not name:
            raise BadFile(path, "a doc element without an id")
        if name in seen:
            raise BadFile(path, f"the document {name!r} stands twice")
        seen.add(name)
        yield name, doc
    if not seen:
        raise BadFile(path, "no doc element", cure="WMT XML is dataset > doc > src, hyp > p > seg")


def _segments(path: Path, doc_id: str, parent: "Element") -> Segments:
    found: Segments = {}
    for seg in parent.iter("seg"):
        key = f"{doc_id}/{seg.get('id')}"
        if key in found:
            raise BadFile(path, f"the segment {key!r} stands twice in one {parent.tag}")
        # itertext, since some files mark up words inside a segment.
        found[key] = "".join(seg.itertext())
        check_text(path, found[key])
    return found


def read_sources(path: Path) -> Segments:
    """`doc/seg` -> source text."""
    found: Segments = {}
    for doc_id, doc in _docs(path):
        for source in doc.findall("src"):
            found |= _segments(path, doc_id, source)
    if not found:
        raise BadFile(path, "no src element", cure="give a file with sources")
    return found


def read(file: NamedFile, campaign: str, sources: Mapping[str, str]) -> Iterator[Submission]:
    """One submission per system in the file; sources come from the file itself or from `--source`."""
    path = file.path
    own: Segments = {}
    texts: dict[str, Segments] = {}
    for doc_id, doc in _docs(path):
        for source in doc.findall("src"):
            own |= _segments(path, doc_id, source)
        for hyp in doc.findall("hyp"):
            name = hyp.get("system") or file.system_name
            segments = texts.setdefault(name, {})
            new = _segments(path, doc_id, hyp)
            if segments.keys() & new.keys():
                raise BadFile(path, f"system {name!r} stands twice in document {doc_id!r}")
            segments |= new
    if not texts:
        raise BadFile(path, "no hyp element: the file holds no system's output")
    if file.name and len(texts) > 1:
        raise BadOption(f"{path} holds {len(texts)} systems; give it without {file.name}=")
    # The file's own sources win: WMT's files with outputs carry them, and they cannot fit another test set.
    known = own or sources
    for name, segments in texts.items():
        strange = segments.keys() - known.keys()
        if strange:
            raise BadFile(
                path,
                f"no source for segment {min(strange)!r} of system {name!r}",
                cure="give the XML file with the sources as --source",
            )
        yield Submission(
            system=System(file.name or name, campaign, file=str(path)),
            texts=[segments.get(key, "") for key in known],
            by="source",
            keys=list(known.values()),
            path=path,
            ids=list(known),
        )


def write_sources(suite: Suite, path: Path) -> None:
    """The suite's sources as a WMT XML file to be translated, one document per item."""
    from xml.sax.saxutils import escape, quoteattr

    source, target = split_pair(suite.langpair)
    with writing(path) as stream:
        stream.write('<?xml version="1.0" encoding="UTF-8"?>\n')
        stream.write(f"<dataset id={quoteattr(suite.name)}>\n")
        for item in suite.items:
            stream.write(
                f"  <doc id={quoteattr(item.id)} origlang={quoteattr(source)} "
                f"testsuite={quoteattr(suite.name)} tgtlang={quoteattr(target)}>\n"
                f'    <src lang={quoteattr(source)}><p><seg id="1">{escape(item.source)}</seg></p></src>\n'
                "  </doc>\n"
            )
        stream.write("</dataset>\n")
