-- Whether the files of the range carry what follows from them: indexes and roll-ups. Older ranges do not.
alter table ranges add column derived bigint not null default 0;

pragma user_version = 3;
