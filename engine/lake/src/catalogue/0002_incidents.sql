-- What went wrong with blocks, for the people who run the lake: kind is verification.
create table incidents (
    id integer primary key,
    time_ms bigint not null,
    kind text not null,
    block bigint,
    detail text not null
);

create index incidents_kind on incidents (kind, id);
create index ranges_added on ranges (added_snapshot);

pragma user_version = 2;
