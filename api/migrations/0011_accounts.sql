alter table users add column career text not null default '';
alter table users add column address text not null default '';
-- Separated by commas; no tag contains one.
alter table users add column tags text not null default '';

alter table sessions add column address text not null default '';
alter table sessions add column agent text not null default '';
alter table sessions add column last_seen_at bigint not null default 0;
create index sessions_by_last_seen on sessions (last_seen_at);

create table codes (
    id bigint primary key,
    target text not null,
    purpose text not null,
    code_hash text not null,
    tries bigint not null default 0,
    created_at bigint not null,
    used_at bigint
);
create index codes_by_target on codes (target, purpose, created_at);

create table login_records (
    id bigint primary key,
    user_id bigint not null references users (id) on delete cascade,
    user_name text not null,
    action text not null,
    address text not null,
    agent text not null,
    acted_at bigint not null
);
create index login_records_by_time on login_records (acted_at);

create table sent_messages (
    id bigint primary key,
    channel text not null,
    target text not null,
    subject text not null,
    content text not null,
    state text not null,
    reason text not null,
    sent_at bigint not null
);
create index sent_messages_by_time on sent_messages (channel, sent_at);

create table api_keys (
    id bigint primary key,
    user_id bigint not null references users (id) on delete cascade,
    name text not null,
    key_hash text not null unique,
    prefix text not null,
    created_at bigint not null,
    expires_at bigint,
    revoked_at bigint,
    last_used_at bigint,
    uses bigint not null default 0
);
create index api_keys_by_user on api_keys (user_id);
