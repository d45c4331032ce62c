create table route_events (
    id bigint primary key,
    at bigint not null,
    visitor text not null,
    user_name text not null,
    previous_url text not null,
    previous_title text not null,
    current_url text not null,
    current_title text not null,
    browsed_ms bigint not null
);
create index route_events_by_time on route_events (at);

create table click_events (
    id bigint primary key,
    at bigint not null,
    visitor text not null,
    user_name text not null,
    current_url text not null,
    trigger_type text not null,
    title text not null,
    behavior text not null
);
create index click_events_by_time on click_events (at);
