-- One text for SQLite and PostgreSQL: times are milliseconds since 1970, truth values 0 or 1.
create table counters (
    name text primary key,
    value bigint not null
);

create table users (
    id bigint primary key,
    user_name text not null unique,
    password_hash text not null,
    role text not null,
    email text unique,
    phone text unique,
    head_photo text not null default '',
    disabled bigint not null default 0,
    created_at bigint not null
);

create table sessions (
    id text primary key,
    user_id bigint not null references users (id) on delete cascade,
    created_at bigint not null,
    expires_at bigint not null,
    revoked_at bigint
);
create index sessions_by_user on sessions (user_id);

create table jobs (
    id text primary key,
    owner_id bigint not null references users (id) on delete cascade,
    kind text not null,
    state text not null,
    text text not null,
    created_at bigint not null,
    started_at bigint,
    finished_at bigint,
    progress double precision not null default 0,
    result_rows bigint,
    message text not null default '',
    error_code text,
    error_line bigint,
    error_column bigint
);
create index jobs_by_owner on jobs (owner_id, created_at);
create index jobs_by_state on jobs (state);
