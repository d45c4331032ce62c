// The dialog that shares a creation; loaded when it is first opened.
const share = {
  title: 'Share {{title}}',
  who: 'Who may read it',
  private: 'Private',
  privateHint: 'Only you',
  link: 'By link',
  linkHint: 'Everybody who has the link',
  public: 'Public',
  publicHint: 'Everybody; it can be found in Discover',
  address: 'Link',
  embed: 'Frame for other sites',
  copy: 'Copy: {{what}}',
  sources_one: 'The results shown here were computed from {{tables}}, a table that somebody shares with you. If its owner stops sharing it or drops it, readers can no longer see these results, and neither can you.',
  sources_other: 'The results shown here were computed from {{tables}}, tables that others share with you. If an owner stops sharing or drops one, readers can no longer see these results, and neither can you.',
  onlyYou: 'Nobody else can open it now.',
  renew: 'New link',
  revoke: 'Take the link back',
  done: 'Done',
};

const texts = { share };

export default texts;
