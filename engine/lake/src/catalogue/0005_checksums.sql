-- Checksums are XXH64, kept as signed numbers. That of the whole file, and that of its tail, which begins at tail_from and
-- holds the checksums of all blocks before it. A file of an older version gets the first from the scrub, the others when it
-- is written again.
alter table files add column checksum bigint;
alter table files add column tail_from bigint;
alter table files add column tail_checksum bigint;
-- Of what else the row says and never changes.
alter table files add column row_checksum bigint;
-- When the file was last written or read whole, and what was wrong with it then; null: nothing.
alter table files add column checked_ms bigint;
alter table files add column damage text;

create index files_checked on files (checked_ms) where retired_snapshot is null;
create index files_damaged on files (id) where damage is not null;

-- Passes of the scrub over all files; one without an end is under way.
create table scrubs (
    id integer primary key,
    started_ms bigint not null,
    ended_ms bigint,
    files bigint not null default 0,
    bytes bigint not null default 0,
    damaged bigint not null default 0
);

pragma user_version = 5;
