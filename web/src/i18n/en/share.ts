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
  onlyYou: 'Nobody else can open it now.',
  renew: 'New link',
  revoke: 'Take the link back',
  done: 'Done',
};

const texts = { share };

export default texts;
