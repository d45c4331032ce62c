-- Addresses are written in small letters since `0061_contacts.sql`; so are those of what was sent before it.
update sent_messages set target = lower(target) where target <> lower(target);
