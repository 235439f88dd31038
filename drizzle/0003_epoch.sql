-- A restore takes versions and bookmarks back and gives them out again. The epoch, which is changed after each restore,
-- tells the new ones from the old ones.

CREATE TABLE database_epoch (
  only INTEGER PRIMARY KEY NOT NULL CHECK (only = 1),
  epoch TEXT NOT NULL CHECK (length(epoch) = 8 AND epoch NOT GLOB '*[^0-9a-f]*')
) STRICT, WITHOUT ROWID;

INSERT INTO database_epoch (only, epoch) VALUES (1, lower(hex(randomblob(4))));
