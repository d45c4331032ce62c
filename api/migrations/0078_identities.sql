-- Who an account belongs to at a provider of OpenID Connect.
create table identities (
    issuer text not null,
    subject text not null,
    user_id bigint not null references users (id) on delete cascade,
    created_at bigint not null,
    primary key (issuer, subject)
);
create index identities_by_user on identities (user_id);

-- How a session was opened: 'password', 'provider' or 'api_key'. Those from before were opened by passwords, or by API keys, which
-- nothing tells apart now.
alter table sessions add column kind text not null default 'password';
