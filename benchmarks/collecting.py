"""Collecting translations from a server of this machine that answers in 100 ms, with 20 requests at once.

python benchmarks/collecting.py
"""

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import sleep

sys.path.insert(0, str(Path(__file__).resolve().parent))

from measure import Figure, once, show

ASSAY = Path(sys.executable).parent / "assay"
SECONDS, CONCURRENCY, FEW, MANY = 0.1, 20, 1000, 10_000
RUNS = {FEW: 3, MANY: 1}


class Handler(BaseHTTPRequestHandler):
    """Translates by turning the last word of the prompt into an answer."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        sleep(SECONDS)
        text = body["messages"][-1]["content"].split()[-1]
        said = json.dumps({"model": "echo", "choices": [{"message": {"content": text}, "finish_reason": "stop"}]})
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said.encode())

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing."""


class Server(ThreadingHTTPServer):
    request_queue_size = 100
    daemon_threads = True


def serve() -> None:
    """In a process of its own, so that it takes no time from the command; says its port."""
    with Server(("127.0.0.1", 0), Handler) as server:
        print(server.server_port, flush=True)
        server.serve_forever()


def suite(folder: Path, size: int) -> Path:
    """A suite of so many sentences."""
    path = folder / f"suite-{size}"
    path.mkdir()
    (path / "suite.yaml").write_text(f"name: s{size}\nlangpair: en-es\ncategories: {{C: {{P: x}}}}\n", "utf-8")
    items = "".join(
        f"  - {{id: i{number}, source: 'The gate number {number} has been closed since noon.', pass: [x]}}\n"
        for number in range(size)
    )
    (path / "p.yaml").write_text(f"category: C\nphenomenon: P\nitems:\n{items}", "utf-8")
    return path


def collecting(folder: Path) -> Iterator[Figure]:
    """Time beside the ideal, and memory beside that of a run with nothing left to ask."""
    with subprocess.Popen([sys.executable, __file__, "--serve"], stdout=subprocess.PIPE, encoding="utf-8") as server:
        assert server.stdout is not None
        url = f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
        spec = f"echo=openai:model=echo,base_url={url}"
        seconds, start, growth = {}, {}, {}
        for size in (FEW, MANY):
            head = [ASSAY, "translate", suite(folder, size), "--system", spec, "--concurrency", CONCURRENCY, "-o"]
            runs = [once([*head, folder / f"out-{size}-{run}"]) for run in range(RUNS[size])]
            command = [*head, folder / f"out-{size}-0"]
            seconds[size], first = statistics.median(run[0] for run in runs), runs[0][1]
            start[size], again = once(command)
            growth[size] = first - again
        server.terminate()
    ideal = FEW * SECONDS / CONCURRENCY
    whole, asking = seconds[FEW] / ideal, (seconds[MANY] - start[MANY]) / (ideal * MANY / FEW)
    yield Figure(f"{FEW:,} sentences, {CONCURRENCY} at once, whole command / the ideal {ideal:g} s", whole, 1.3, "×")
    yield Figure(f"{MANY:,} sentences, without start, reading and writing / the ideal", asking, 1.3, "×")
    yield Figure(f"memory that asking takes, {MANY:,} sentences less {FEW:,}", growth[MANY] - growth[FEW], 10, "MB")


if __name__ == "__main__":
    if "--serve" in sys.argv:
        serve()
    else:
        with tempfile.TemporaryDirectory() as temporary:
            sys.exit(show(collecting(Path(temporary))))
