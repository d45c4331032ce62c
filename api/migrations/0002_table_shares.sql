-- Tables that their owners let others read. A table of the same name that is made later has another `created` and is not
-- shared by these rows. `reader_id` 0 is everybody.
create table table_shares (
    owner_id bigint not null references users (id) on delete cascade,
    table_name text not null,
    created bigint not null,
    reader_id bigint not null,
    shared_at bigint not null,
    primary key (owner_id, table_name, created, reader_id)
);
create index table_shares_by_reader on table_shares (reader_id);
