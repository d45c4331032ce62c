// 内容尚未发布的页面。
const unpublished = {
  blog: '还没有发布文章。API 的新变化见其更新日志；大家用 Quarry 做了什么，见“发现”。',
  changes: 'API 更新日志',
  pricing: '还没有公布价格。官方看板对访客部分开放，有账户即可查看全部；API 的限制见其文档。',
  limits: 'API 的限制',
};

const texts = { unpublished };

export default texts;
