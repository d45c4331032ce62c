-- Tables of other users that a job read. Its result is readable as long as they are, so a row outlives the owner's account.
create table job_tables (
    job_id text not null references jobs (id) on delete cascade,
    owner_name text not null,
    table_name text not null,
    -- When the table was made: a later one of the same name is another table.
    created bigint not null,
    primary key (job_id, owner_name, table_name, created)
);
create index job_tables_by_table on job_tables (owner_name, table_name, created);

-- Jobs from before: their texts name the tables that are shared now.
insert into job_tables (job_id, owner_name, table_name, created)
select distinct jobs.id, users.user_name, table_shares.table_name, table_shares.created
from jobs, table_shares join users on users.id = table_shares.owner_id
where jobs.state = 'SUCCEEDED' and jobs.owner_id <> table_shares.owner_id and jobs.created_at >= table_shares.created
    and replace(replace(lower(jobs.text), '"', ''), '`', '') like '%user_' || users.user_name || '.' || table_shares.table_name || '%';
