-- Browsers that an account has logged in from: the hash of the token in their cookie.
create table known_devices (
    token_hash text not null,
    user_id bigint not null references users (id) on delete cascade,
    used_at bigint not null,
    primary key (token_hash, user_id)
);
create index known_devices_by_user on known_devices (user_id, used_at);

-- The second factor of an account. The secret is encrypted; `last_step` is the newest step of 30 seconds whose code was used.
create table second_factors (
    user_id bigint primary key references users (id) on delete cascade,
    secret text not null,
    created_at bigint not null,
    confirmed_at bigint,
    last_step bigint not null default 0
);

create table recovery_codes (
    user_id bigint not null references users (id) on delete cascade,
    code_hash text not null,
    used_at bigint,
    primary key (user_id, code_hash)
);

create table invitations (
    code_hash text primary key,
    created_at bigint not null,
    expires_at bigint not null,
    used_at bigint,
    used_by bigint references users (id) on delete set null
);

-- Where an account was registered, and until when it shares the limits of that address with the other new ones.
alter table users add column registered_from text;
alter table users add column new_until bigint;
create index users_by_place on users (registered_from, new_until);
