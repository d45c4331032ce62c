-- What has one of the tags in which a text is: the tags that there are come from `tallies`, and are few.
create index tags_by_word on tags (public, entity_kind, tag_key, entity_id);
