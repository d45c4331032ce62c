-- Blocks that were given up in reorganisations: compaction forgets their ranges, and may merge those that took their place.
create table reorgs (
    id integer primary key,
    time_ms bigint not null,
    from_block bigint not null,
    to_block bigint not null
);

insert into reorgs (time_ms, from_block, to_block)
select snapshots.time_ms, min(from_block), max(to_block)
from snapshots
join ranges on ranges.added_snapshot = snapshots.id or ranges.retired_snapshot = snapshots.id
where snapshots.reason = 'reorg'
group by snapshots.id
order by snapshots.id;

pragma user_version = 4;
