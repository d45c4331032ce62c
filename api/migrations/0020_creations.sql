-- What people make: one row per query, visualization, graph, dashboard and project, so that ownership, visibility,
-- favourites, forks and search are one thing for all of them.
create table creations (
    id text primary key,
    -- Grows; what the search index calls it.
    number bigint not null unique,
    kind text not null,
    owner_id bigint not null references users (id) on delete cascade,
    visibility text not null,
    share_token text unique,
    official bigint not null default 0,
    title text not null,
    notes text not null default '',
    forked_from text,
    revision bigint not null default 1,
    favorites bigint not null default 0,
    forks bigint not null default 0,
    created_at bigint not null,
    updated_at bigint not null,
    published_at bigint
);
create index creations_by_favorites on creations (kind, visibility, favorites, updated_at, number);
create index creations_by_time on creations (kind, visibility, updated_at, number);
create index creations_by_owner on creations (owner_id, kind, visibility, updated_at);
create index creations_by_origin on creations (forked_from);

create table queries (
    id text primary key references creations (id) on delete cascade,
    kind text not null,
    text text not null,
    -- JSON; empty where a kind has none.
    spec text not null default '',
    parameters text not null default '[]',
    database_name text not null default 'ethereum',
    strategy text not null default 'manual',
    cron text not null default '',
    paused bigint not null default 0,
    next_run_at bigint
);
create index queries_by_next_run on queries (next_run_at);

create table visualizations (
    id text primary key references creations (id) on delete cascade,
    query_id text not null references queries (id) on delete cascade,
    type text not null,
    options text not null
);
create index visualizations_by_query on visualizations (query_id);

create table graphs (
    id text primary key references creations (id) on delete cascade,
    content text not null
);

create table dashboards (
    id text primary key references creations (id) on delete cascade,
    content text not null,
    widgets bigint not null default 0,
    -- The visualization that lists show as its picture.
    preview text
);

create table project_items (
    project_id text not null references creations (id) on delete cascade,
    item_id text not null references creations (id) on delete cascade,
    position bigint not null,
    primary key (project_id, item_id)
);

create table versions (
    creation_id text not null references creations (id) on delete cascade,
    version bigint not null,
    author_id bigint not null,
    created_at bigint not null,
    -- Saved by the editor itself, so the next such save may replace it.
    autosave bigint not null default 0,
    title text not null,
    content text not null,
    primary key (creation_id, version)
);

create table drafts (
    user_id bigint not null references users (id) on delete cascade,
    id text not null,
    title text not null,
    content text not null,
    updated_at bigint not null,
    primary key (user_id, id)
);

alter table jobs add column query_id text;
alter table jobs add column query_revision bigint;
alter table jobs add column origin text not null default 'manual';
-- Whether its result is what viewers of the query see.
alter table jobs add column shared bigint not null default 0;
-- JSON of the values it ran with; empty without any.
alter table jobs add column parameters text not null default '';
create index jobs_by_query on jobs (query_id, created_at);
