create table roles (
    name text primary key,
    note text not null default '',
    created_at bigint not null
);

-- The keys are the program's; what people call them is data.
create table permissions (
    permission_key text primary key,
    note text not null default ''
);

create table role_permissions (
    role_name text not null references roles (name) on delete cascade,
    permission_key text not null references permissions (permission_key) on delete cascade,
    primary key (role_name, permission_key)
);

create table audit_log (
    id bigint primary key,
    acted_at bigint not null,
    user_id bigint not null,
    user_name text not null,
    area text not null,
    method text not null,
    path text not null,
    detail text not null,
    status bigint not null,
    address text not null
);
create index audit_log_by_time on audit_log (acted_at);
