-- Whether something is unread, and how much of whom, is asked by every page of somebody who is logged in.
create index letters_unread on letters (to_id, from_id) where read_at is null;

-- With the key that orders the list, or the name that is looked for in it.
drop index users_by_role;
create index users_by_role on users (role, id);
drop index login_records_by_action;
create index login_records_by_action on login_records (action, acted_at, id, user_id, user_name);
