// DApp 排行。
const ranking = {
  title: 'DApp 排行',
  lead: '登记的 DApp 在链上的表现：谁调用了它们的合约、调用了多少次、随之转入多少以太币。',
  span: '{{from}} 至 {{to}}（UTC），与此前等长的时段相比',
  period: '时段',
  periods: { day: '日', week: '周', month: '月' },
  figures: { used: '有人使用的 DApp', usedOf: '{{used}} / {{all}}', transactions: '交易', volume: '随交易转入的以太币', fastest: '增长最快（按交易）' },
  byType: '类型',
  shareOf: { transactions: '各类型的交易', volume: '各类型的交易额' },
  all: '全部',
  types: { games: '游戏', finance: '金融', betting: '博彩', market: '市场', social: '社交', others: '其他', utilities: '工具', 'high-risk': '高风险' },
  dapps_other: '{{count}} 个 DApp',
  contracts_other: '{{count}} 个合约',
  search: '查找 DApp',
  csv: '保存为 CSV',
  none: '登记的 DApp 中没有符合这些条件的。',
  showAll: '显示全部 DApp',
  wei: '{{value}} wei',
  rank: '#',
  dapp: 'DApp',
  measures: { users: '用户', transactions: '交易', volume: '交易额' },
  change: '变化',
  share: '占比',
  fresh: '新出现',
  query: '查询',
  queryOf: '按天查询 {{name}}',
};

const texts = { ranking };

export default texts;
