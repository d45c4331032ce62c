// The assistant.
const assistant = {
  title: 'Assistant',
  talk: 'Questions and answers',
  clear: 'Start anew',
  can: 'Ask about Quarry, its tables and functions, or how to query something. Every answer names its sources, and a query can be opened in the editor.',
  withModel: 'A language model writes the answers from what the documentation says. Check what matters.',
  withoutModel: 'Answers quote the documentation. There is no language model here, so it does not write new queries and does not look at your data.',
  tryAsking: 'Try asking',
  starter: {
    average: 'How do I calculate a moving average?',
    holders: 'Who holds a token?',
    wei: 'How do I show wei as ether?',
    tables: 'Which columns does token_transfers have?',
  },
  placeholder: 'How do I …?',
  question: 'Your question',
  ask: 'Ask',
  stop: 'Stop',
  stopped: 'Stopped.',
  fallback: 'The language model did not answer. This is what the documentation says.',
  query: 'A query for it',
  sources: 'Sources',
  about: { page: 'page', table: 'table', function: 'function', query: 'example query' },
};

export default { assistant };
