// The start page.
export const start = {
  headline: '以太坊，\n层层可见。',
  lead: '对数据湖中的每个区块写查询，把结果画成图表，也可以导出带走，精确到每一 wei。',
  open: '进入 Quarry',
  write: '写一个查询',
  loading: '正在加载工作区',
  ready: '已就绪',
  late: '链上数据暂时没有到达。',
  heightIsGas: '高度：区块的 gas 用量',
  steps: {
    chain: '链上数据',
    account: '你的账户',
    pages: '页面',
  },
  facts: {
    blocks: '区块',
    transactions: '交易',
    logs: '事件日志',
    asOf: '数据截至 (UTC)',
  },
};
