-- Which home's server runs a job: several may share a database. Empty for jobs of before.
alter table jobs add column home text not null default '';
-- JSON of all values that a job ran with; empty without any, and for jobs of before.
alter table jobs add column given text not null default '';
