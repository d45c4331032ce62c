-- What has one of the tags in which a text is: the tags that there are come from `tallies`, and are few.
create index tags_by_word on tags (public, entity_kind, tag_key, entity_id);

-- With whose entry it is, which is looked for among those of a rule.
drop index credit_entries_by_rule;
create index credit_entries_by_rule on credit_entries (rule_key, created_at, id, user_id);
