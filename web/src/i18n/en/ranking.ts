// The ranking of DApps.
const ranking = {
  title: 'DApp ranking',
  lead: 'DApps of the registry by what the chain says: who called their contracts, how often, and how much ether went along with it.',
  span: '{{from}} to {{to}} UTC, against the same length of time before',
  period: 'Period',
  periods: { day: 'Day', week: 'Week', month: 'Month' },
  figures: { used: 'DApps used', usedOf: '{{used}} of {{all}}', transactions: 'Transactions', volume: 'Ether sent along', fastest: 'Fastest growing, by transactions' },
  byType: 'Types',
  shareOf: { transactions: 'Transactions by type', volume: 'Volume by type' },
  all: 'All',
  types: { games: 'Games', finance: 'Finance', betting: 'Betting', market: 'Market', social: 'Social', others: 'Others', utilities: 'Utilities', 'high-risk': 'High risk' },
  dapps_one: '{{count}} DApp',
  dapps_other: '{{count}} DApps',
  contracts_one: '{{count}} contract',
  contracts_other: '{{count}} contracts',
  search: 'Find a DApp',
  csv: 'Save as CSV',
  none: 'No DApp of the registry fits these filters.',
  showAll: 'Show all DApps',
  wei: '{{value}} wei',
  rank: '#',
  dapp: 'DApp',
  measures: { users: 'Users', transactions: 'Transactions', volume: 'Volume' },
  change: 'Change',
  share: 'Share',
  fresh: 'new',
  query: 'Query',
  queryOf: 'Query {{name}} day by day',
};

const texts = { ranking };

export default texts;
