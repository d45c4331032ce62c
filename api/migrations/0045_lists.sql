-- What lists read instead of counting: sums that triggers keep (`db/tallies.rs`), and two facts beside the rows they belong to.
create table tallies (
    topic text not null,
    name text not null,
    value bigint not null,
    primary key (topic, name)
);

-- Whether everybody may see what the tag belongs to.
alter table tags add column public bigint not null default 0;
drop index tags_by_key;
drop index tags_by_time;
create index tags_by_time on tags (public, updated_at desc, entity_kind, entity_id, tag_key);
create index tags_by_kind on tags (public, entity_kind, updated_at desc, entity_id, tag_key);
create index tags_by_key on tags (public, tag_key, updated_at desc, entity_kind, entity_id);
create index tags_by_spelling on tags (public, tag_key, tag);
create index tags_by_creator on tags (creator_id, updated_at desc, entity_kind, entity_id, tag_key);

-- Whether lists of creators show the account: it can log in and has made something public.
alter table creator_figures add column shown bigint not null default 0;
drop index creator_figures_by_stars;
create index creator_figures_by_stars on creator_figures (shown, stars, user_id);
create index creator_figures_by_user on creator_figures (shown, user_id);
create index users_by_time on users (created_at, id);
create index users_by_role on users (role);

drop index addresses_by_favorites;
drop index addresses_by_time;
create index addresses_by_favorites on addresses (favorites desc, updated_at desc, address);
create index addresses_by_time on addresses (updated_at desc, address);
