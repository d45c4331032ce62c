-- JSON; null: those that ship for the chain id.
alter table lake_info add column known_contracts text;

pragma user_version = 6;
