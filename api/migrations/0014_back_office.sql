create table credit_rules (
    rule_key text primary key,
    points bigint not null,
    enabled bigint not null default 1,
    note text not null
);
insert into credit_rules (rule_key, points, note) values ('favourite', 1, 'A creation was marked as a favourite');
insert into credit_rules (rule_key, points, note) values ('fork', 2, 'A query was forked');
insert into credit_rules (rule_key, points, note) values ('dashboard', 5, 'A dashboard was published');

create table credit_entries (
    id bigint primary key,
    user_id bigint not null references users (id) on delete cascade,
    rule_key text not null,
    points bigint not null,
    -- What it is for; the same subject is credited once per rule.
    subject text not null,
    note text not null,
    created_at bigint not null,
    unique (rule_key, subject)
);
create index credit_entries_by_user on credit_entries (user_id, created_at);

create table white_papers (
    id bigint primary key,
    title text not null,
    language text not null,
    path text not null references files (path),
    published bigint not null default 0,
    created_by text not null,
    created_at bigint not null,
    published_at bigint
);

create table dapps (
    id bigint primary key,
    name text not null unique,
    dapp_type text not null,
    website text not null,
    note text not null,
    updated_at bigint not null
);

create table dapp_addresses (
    address text primary key,
    dapp_name text not null,
    note text not null,
    updated_at bigint not null
);
create index dapp_addresses_by_name on dapp_addresses (dapp_name);
