"""What can be wrong with a cluster."""

from assay.errors import AssayError


class BadCluster(AssayError):
    """A cluster that is out of reach, without workers, of other versions, or gone. `address: problem; cure`."""

    exit_code = 3

    def __init__(self, address: str, problem: str, cure: str) -> None:
        super().__init__(f"{address}: {problem}; {cure}")
