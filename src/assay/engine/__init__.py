"""Map a function over blocks of work, here or in other processes; results come in the order of the blocks.

for scores in map_blocks(score, blocks, jobs=2):
    write(scores)
"""

from assay.engine.local import map_blocks

__all__ = ["map_blocks"]
