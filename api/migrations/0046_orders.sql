-- An index for each order that a list of many rows has, to its last column, so that a page is read and not sorted. What a
-- text is looked for in follows, so that only rows that have it are read.
create index jobs_by_time on jobs (created_at, id);
create index jobs_by_kind on jobs (kind, created_at, id);
create index jobs_by_kind_and_state on jobs (kind, state, created_at, id);
drop index jobs_by_state;
create index jobs_by_state on jobs (state, created_at, id);
drop index jobs_by_owner;
create index jobs_by_owner on jobs (owner_id, created_at, id);
create index jobs_by_schedule on jobs (query_id, created_at, id, state) where origin = 'schedule';
create index jobs_by_schedule_and_time on jobs (created_at) where origin = 'schedule';
create index jobs_unfinished on jobs (query_id) where state in ('QUEUED', 'RUNNING');
create index jobs_shown on jobs (query_id, finished_at) where shared = 1 and state = 'SUCCEEDED';

create index queries_by_schedule on queries (paused, next_run_at, id) where strategy <> 'manual';

drop index login_records_by_time;
create index login_records_by_time on login_records (acted_at, id, user_name);
create index login_records_by_action on login_records (action, acted_at, id);
drop index audit_log_by_time;
create index audit_log_by_time on audit_log (acted_at, id, user_name);
create index audit_log_by_area on audit_log (area, acted_at, id);
drop index sent_messages_by_time;
create index sent_messages_by_time on sent_messages (channel, sent_at, id, target);
create index sent_messages_by_state on sent_messages (channel, state, sent_at, id);
drop index feedback_by_time;
create index feedback_by_time on feedback (created_at, id);
create index credit_entries_by_time on credit_entries (created_at, id);
create index credit_entries_by_rule on credit_entries (rule_key, created_at, id);
drop index credit_entries_by_user;
create index credit_entries_by_user on credit_entries (user_id, created_at, id, points);
create index files_by_time on files (created_at, path);
drop index route_events_by_time;
create index route_events_by_time on route_events (at, id, user_name);
drop index operation_records_by_time;
create index operation_records_by_time on operation_records (operation, created_at, id);
drop index operation_records_by_user;
create index operation_records_by_user on operation_records (user_id, operation, created_at, id);
create index platform_messages_by_time on platform_messages (sent_at, id);
drop index sessions_by_last_seen;
create index sessions_by_last_seen on sessions (last_seen_at, id);
create index address_labels_by_owner on address_labels (owner_id, created_at, id);
create index favorites_by_user on favorites (user_id, entity_kind, created_at desc, entity_id);
drop index comments_by_creation;
create index comments_by_creation on comments (creation_id, parent_id, created_at desc, id);
