-- Signs of life of the servers that share this database: each counts its own home's up every minute.
create table homes (
    id text primary key,
    signs bigint not null
);
-- Whether somebody has stopped the job on another server than the one that runs it, which finds it here.
alter table jobs add column stop_asked bigint not null default 0;
