-- Jobs that run a spec keep it as JSON in their text; this is the field of it that a failure is about.
alter table jobs add column error_param text;
