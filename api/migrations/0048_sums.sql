-- What the back office reads instead of adding up: sums that follow from the rows of other tables (`db/sums.rs`), and beside
-- each visit when the same visitor and the same user were here before it; null for nobody, -1 for never.
create table credit_sums (
    user_id bigint primary key,
    credits bigint not null,
    entries bigint not null,
    last_at bigint not null
);
create index credit_sums_by_credits on credit_sums (credits desc, user_id);
create table credit_days (
    -- Its start, in milliseconds since 1970.
    day bigint not null,
    rule_key text not null,
    points bigint not null,
    entries bigint not null,
    primary key (day, rule_key)
);

alter table route_events add column visitor_before bigint;
alter table route_events add column user_before bigint;
create index route_events_by_visitor on route_events (visitor, at, id);
create index route_events_by_user on route_events (user_name, at, id) where user_name <> '';
create index route_events_by_url on route_events (current_url, at, id);
create index route_events_first on route_events (at, visitor_before, user_before, browsed_ms);

create table page_sums (
    url text primary key,
    views bigint not null,
    visitors bigint not null,
    -- Of the visits that went on from it, and how many of them told.
    browsed_ms bigint not null,
    timed bigint not null
);
create index page_sums_by_views on page_sums (views desc, url);
create table page_visitors (
    url text not null,
    visitor text not null,
    primary key (url, visitor)
);
-- Days that are over, once somebody has asked for them.
create table visit_days (
    day bigint primary key,
    views bigint not null,
    visitors bigint not null,
    browsed_ms bigint not null,
    timed bigint not null
);
drop index login_records_by_action;
create index login_records_by_action on login_records (action, acted_at, id, user_id);
create index users_disabled on users (id) where disabled = 1;
