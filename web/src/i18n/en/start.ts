// The start page.
export const start = {
  headline: 'Ethereum, open\nto the layer.',
  lead: 'Write a query against every block in the lake, chart the result, and take it with you, exact to the last wei.',
  open: 'Open Quarry',
  write: 'Write a query',
  loading: 'Loading your workspace',
  ready: 'Ready',
  late: 'Chain data is late.',
  heightIsGas: 'Height: gas used by a block',
  steps: {
    chain: 'chain data',
    account: 'your account',
    pages: 'pages',
  },
  facts: {
    blocks: 'blocks',
    transactions: 'transactions',
    logs: 'event logs',
    asOf: 'data as of (UTC)',
  },
};
