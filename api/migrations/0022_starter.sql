-- What shipped content is called in Chinese; what people make has one title.
alter table creations add column title_zh text;
alter table creations add column notes_zh text;

-- Which pieces of the shipped content were loaded: one that an administrator has removed does not come back.
create table starter_loaded (
    id text primary key
);
