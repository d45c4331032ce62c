-- What was done, by a name that stays and with the values of its sentence, beside the sentence in English.
alter table audit_log add column deed text;
alter table audit_log add column deed_values text not null default '{}';
