create table tags (
    entity_kind text not null,
    entity_id text not null,
    -- The tag in small letters: two that differ only in letter case are one.
    tag_key text not null,
    tag text not null,
    creator_id bigint not null references users (id) on delete cascade,
    created_at bigint not null,
    updated_at bigint not null,
    primary key (entity_kind, entity_id, tag_key)
);
create index tags_by_key on tags (tag_key, entity_kind);
create index tags_by_time on tags (updated_at);

create table favorites (
    user_id bigint not null references users (id) on delete cascade,
    entity_kind text not null,
    entity_id text not null,
    created_at bigint not null,
    primary key (user_id, entity_kind, entity_id)
);
create index favorites_by_entity on favorites (entity_kind, entity_id);

create table comments (
    id text primary key,
    creation_id text not null references creations (id) on delete cascade,
    -- The comment it answers; threads have one level.
    parent_id text references comments (id) on delete cascade,
    author_id bigint not null references users (id) on delete cascade,
    content text not null,
    created_at bigint not null,
    deleted_at bigint
);
create index comments_by_creation on comments (creation_id, created_at);
create index comments_by_parent on comments (parent_id, created_at);

-- What everybody sees that a creator has made, and the favourites received, kept up to date so that lists need not count.
create table creator_figures (
    user_id bigint primary key references users (id) on delete cascade,
    stars bigint not null default 0,
    dashboards bigint not null default 0,
    queries bigint not null default 0
);
create index creator_figures_by_stars on creator_figures (stars, user_id);

create table addresses (
    address text primary key,
    favorites bigint not null default 0,
    created_at bigint not null,
    updated_at bigint not null
);
create index addresses_by_favorites on addresses (favorites, updated_at);
create index addresses_by_time on addresses (updated_at);

create table operation_records (
    id bigint primary key,
    operation text not null,
    dashboard_id text not null,
    dashboard_name text not null,
    user_id bigint not null,
    user_name text not null,
    created_at bigint not null
);
create index operation_records_by_time on operation_records (operation, created_at);
create index operation_records_by_user on operation_records (user_id, operation, created_at);

-- The readable text of what is searched, for quoted words; the index of words beside it is each database's own.
create table search_texts (
    number bigint primary key,
    content text not null
);
