-- Times are milliseconds UTC unless a comment says otherwise; a lake is read through one row of snapshots.
create table lake_info (
    one integer primary key check (one = 1),
    chain_id bigint,
    origin text,
    created_ms bigint not null
);

create table snapshots (
    id integer primary key,
    time_ms bigint not null,
    head_number bigint,
    head_hash blob,
    head_time_us bigint,
    finalised bigint,
    reason text not null
);

-- Blocks that were published together; files never cross them, so replacing blocks only retires whole files.
create table ranges (
    id integer primary key,
    from_block bigint not null,
    to_block bigint not null,
    added_snapshot bigint not null references snapshots (id),
    retired_snapshot bigint references snapshots (id)
);

create table files (
    id integer primary key,
    range_id bigint not null references ranges (id),
    table_name text not null,
    path text not null unique,
    min_block bigint not null,
    max_block bigint not null,
    min_time_us bigint not null,
    max_time_us bigint not null,
    rows bigint not null,
    bytes bigint not null,
    -- JSON: column name to its compressed bytes, null count and bounds.
    statistics text not null,
    added_snapshot bigint not null references snapshots (id),
    retired_snapshot bigint references snapshots (id)
);

create index ranges_live on ranges (to_block) where retired_snapshot is null;
create index files_live on files (table_name, min_block) where retired_snapshot is null;
create index files_retired on files (retired_snapshot) where retired_snapshot is not null;

pragma user_version = 1;
