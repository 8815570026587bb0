"""What a worker of a cluster does with a block: it makes the function once, and applies it.

client.submit(apply, packed_function, "name", packed_block, versions())
"""

import pickle
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any

from assay.parallel.executor import BlockCancelled, Misfit, answer, cancelled_unless
from assay.parallel.versions import CURE, differences, versions


def apply(function: bytes, name: str, block: bytes, wanted: Mapping[str, str]) -> tuple[str, bytes]:
    """The address of this worker, and the result of a block or what it raised, pickled.

    `name` stands for the function, which is compared with nothing: it may be large.
    """
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def is_wanted() -> bool:
        task = worker.state.tasks.get(key)
        is_closing = worker.status.name in ("closing", "closed", "failed")
        return task is not None and task.state != "cancelled" and not is_closing

    def run(packed: bytes) -> Any:
        if found := differences(wanted, versions()):
            raise Misfit(f"the worker has {', '.join(found)}", CURE)
        return _function(worker, function, name)(pickle.loads(packed))

    try:
        with cancelled_unless(is_wanted):
            return str(worker.address), answer(run, block)
    except (SystemExit, KeyboardInterrupt, BlockCancelled) as error:  # Dask would end the worker
        return str(worker.address), pickle.dumps((None, RuntimeError(f"a block raised {error!r}")))


_functions: dict[str, Callable[[Any], Any]] = {}
_making = Lock()


def _function(worker: Any, packed: bytes, name: str) -> Callable[[Any], Any]:
    """The function, made once with all that it loads at its first block; those of other runs go when theirs do."""
    with _making:
        if name not in _functions:
            for other in [other for other in _functions if other not in worker.data]:
                del _functions[other]
            _functions[name] = pickle.loads(packed)
        return _functions[name]
