"""Replay: what policies would have said had a linguist judged less, on texts whose verdict is known."""

from assay.replay.replay import Replay, ReplayLine, replay

__all__ = ["Replay", "ReplayLine", "replay"]
