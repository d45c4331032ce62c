-- Whether others could read the creation while this version was its newest. Who may not change it sees these only.
alter table versions add column shown bigint not null default 0;
update versions set shown = 1 where exists (
    select 1 from creations c where c.id = versions.creation_id and c.visibility = 'public'
    and (versions.created_at >= c.published_at or versions.version = (
        select max(v.version) from versions v where v.creation_id = c.id and v.created_at <= c.published_at
    ))
);
