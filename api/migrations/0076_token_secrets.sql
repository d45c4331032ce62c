-- A fingerprint of the secret that signs the tokens, never the secret: servers that share this database must share it.
create table token_secrets (
    name text primary key,
    fingerprint text not null
);
