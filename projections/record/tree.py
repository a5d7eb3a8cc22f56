"""The tree over the events, as tiles of C2SP's tlog-tiles, grown on the server from the events.

A tile has 256 hashes of one level. Level 0 is the hashes of the events themselves, and only whole
tiles of it are rows, so that an event costs nothing until 256 of them are together: whoever needs
the last ones hashes those events again (`ops.proof.stored`).
"""

from projections.model import Projection

_TABLES = """
-- One row a tile. Hash i of a level is the root of tile i of the level below.
CREATE TABLE tiles (
    level  smallint NOT NULL,
    index  bigint   NOT NULL,
    hashes bytea    NOT NULL,  -- 32 bytes each; 256 of them, or fewer in the last one of a level
    PRIMARY KEY (level, index)
);
ALTER TABLE tiles ALTER COLUMN hashes SET STORAGE EXTERNAL;
"""

PROJECTION = Projection(
    name="tree", schema=_TABLES, changes={}, over="SELECT projections.grow_tree(%(last)s)"
)
