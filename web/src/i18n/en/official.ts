// The official dashboards and their metrics.
const official = {
  title: 'Official dashboards',
  lead: 'Metrics of the chain, kept up by Quarry.',
  none: 'No dashboard yet',
  charts_one: '{{count}} chart',
  charts_other: '{{count}} charts',
  openDashboard: 'Open dashboard',
  openQuery: 'Open query',
  openInQuarry: 'Open in Quarry',
  promptTitle: 'Log in to view this metric.',
  prompt: 'Visitors see every metric up to 30 days ago. Log in or sign up to view the rest; the advanced plan has the latest data.',
  promptUntil: 'Visitors see it up to {{until}}. Log in or sign up to view the rest; the advanced plan has the latest data.',
  signUp: 'Sign up',
  resolution: 'Resolution',
  resolutions: { '1 Hour': '1 Hour', '1 Day': '1 Day', '1 Week': '1 Week', '1 Month': '1 Month' },
  onlyResolution: 'Kept by {{resolution}} only',
  type: 'Chart type',
  pending: 'Being computed …',
  period: 'Period',
  days: '{{count}} d',
  all: 'All',
  list: 'Official metrics',
  metrics_one: 'The only metric',
  metrics_other: 'All {{count}} metrics',
  find_one: 'Find in one metric',
  find_other: 'Find in {{count}} metrics',
  nothing: 'No metric has these words.',
  stats: { latest: 'Latest, {{at}}', change: 'Change, 30 days', low: 'Low, {{at}}', high: 'High, {{at}}', median: 'Median of the period' },
  series: 'Get this series',
  seriesHint: 'Times are UTC. Without a login the rows end 30 days ago.',
  usedIn: 'Used in',
  favorites_one: '{{favorites}} favorite',
  favorites_other: '{{favorites}} favorites',
};

const texts = { official };

export default texts;
