-- What a job was called when it ran: the title of its saved query, or what whoever ran it called it. Empty where its text
-- speaks for itself.
alter table jobs add column title text not null default '';

-- What a rule of credits is about, the pages say in the reader's language; its note is the administrators' own.
update credit_rules set note = '' where note in
    ('A creation was marked as a favourite', 'A query was forked', 'A dashboard was published');
