-- Few of many public creations are official.
create index creations_official on creations (kind, number) where official = 1;
