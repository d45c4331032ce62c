// 助手。
import type { BundleTexts } from '../texts';

const assistant: BundleTexts<'assistant'>['assistant'] = {
  title: '助手',
  talk: '问与答',
  clear: '重新开始',
  can: '可以询问 Quarry、它的数据表与函数，或者某件事该怎么查询。每个回答都注明出处，附带的查询可以在编辑器中打开。',
  withModel: '回答由语言模型根据文档内容撰写，重要的内容请自行核对。',
  withoutModel: '回答引用文档原文。这里没有语言模型，因此不会编写新的查询，也不会查看你的数据。',
  tryAsking: '可以这样问',
  starter: {
    average: '如何计算移动平均？',
    holders: '谁持有某个代币？',
    wei: '怎样把 wei 显示为以太？',
    tables: 'token_transfers 表有哪些列？',
  },
  placeholder: '如何……？',
  question: '你的问题',
  ask: '提问',
  stop: '停止',
  stopped: '已停止。',
  fallback: '语言模型没有作答，以下是文档中的内容。',
  query: '对应的查询',
  sources: '出处',
  about: { page: '页面', table: '数据表', function: '函数', query: '示例查询' },
};

export default { assistant };
