-- What SCRAM-SHA-256 checks a password with, for clients of PostgreSQL. It belongs to the password whose hash stands beside it:
-- after a change of the password it means nothing until it is written again.
create table scram_verifiers (
    user_id bigint primary key references users (id) on delete cascade,
    password_hash text not null,
    verifier text not null
);
