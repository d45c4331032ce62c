-- Signatures of functions and events that people added to those that ship.
create table signatures (
    id bigint primary key,
    user_id bigint not null references users (id) on delete cascade,
    kind text not null,
    hash text not null,
    signature text not null,
    -- 1 when it serves everybody, which administrators decide.
    everybody bigint not null default 0,
    created_at bigint not null,
    unique (user_id, signature)
);
create index signatures_by_hash on signatures (hash);
