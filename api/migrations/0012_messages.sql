create table letters (
    id bigint primary key,
    from_id bigint not null references users (id) on delete cascade,
    to_id bigint not null references users (id) on delete cascade,
    content text not null,
    -- What the sender calls it; the same name again is the same letter.
    client_time text not null,
    sent_at bigint not null,
    read_at bigint,
    unique (from_id, client_time)
);
create index letters_by_receiver on letters (to_id, from_id, id);
create index letters_by_sender on letters (from_id, to_id, id);

create table platform_messages (
    id bigint primary key,
    kind text not null,
    content text not null,
    sender text not null,
    sent_at bigint not null
);

create table files (
    path text primary key,
    scene text not null,
    owner_id bigint not null references users (id) on delete cascade,
    name text not null,
    media text not null,
    size bigint not null,
    created_at bigint not null
);
create index files_by_scene on files (scene, created_at);

create table feedback (
    id bigint primary key,
    user_id bigint not null references users (id) on delete cascade,
    title text not null,
    content text not null,
    url text not null,
    photo text not null,
    state text not null,
    answer text not null default '',
    handled_by text not null default '',
    handled_at bigint,
    created_at bigint not null
);
create index feedback_by_time on feedback (created_at);
