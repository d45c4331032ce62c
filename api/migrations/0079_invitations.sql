-- Who made an invitation (null on the command line), for which email address if for one, and when it was withdrawn.
alter table invitations add column created_by bigint references users (id) on delete set null;
alter table invitations add column email text;
alter table invitations add column withdrawn_at bigint;
create index invitations_by_creation on invitations (created_at, code_hash);
