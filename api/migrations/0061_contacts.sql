-- One mailbox or one phone number is one text, as `auth/rules.rs` makes it now. Where two accounts have the same one in
-- different letters, the first keeps it so that it is found; the other stays as it was written.
update users set email = lower(email)
where email <> lower(email) and id in (select min(id) from users group by lower(email))
  and lower(email) not in (select known.email from users known where known.email is not null);

update users set phone = replace(replace(phone, ' ', ''), '-', '')
where phone <> replace(replace(phone, ' ', ''), '-', '')
  and id in (select min(id) from users group by replace(replace(phone, ' ', ''), '-', ''))
  and replace(replace(phone, ' ', ''), '-', '') not in (select known.phone from users known where known.phone is not null);
