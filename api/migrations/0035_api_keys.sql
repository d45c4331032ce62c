-- JSON lists of texts; an empty one allows everything.
alter table api_keys add column referrers text not null default '[]';
alter table api_keys add column addresses text not null default '[]';
alter table api_keys add column metrics text not null default '[]';

-- Requests of a key by day, UTC; in milliseconds since 1970.
create table api_key_usage (
    key_id bigint not null references api_keys (id) on delete cascade,
    day bigint not null,
    requests bigint not null,
    refused bigint not null,
    primary key (key_id, day)
);
