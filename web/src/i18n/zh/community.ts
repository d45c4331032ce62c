// Discover, favourites, own creations, projects, tags, creators and addresses.
const community = {
  copyAddress: '复制地址',
  copyLink: '复制链接',
  dashboards_other: '{{count}} 个看板',
  discover: {
    range: '时间范围',
    sort: '排序',
    tabs: '显示内容',
  },
  empty: {
    addresses: '还没有地址',
    clearSearch: '清除搜索',
    creators: '还没有创作者',
    dashboards: '还没有看板',
    firstPage: '回到第一页',
    inRange: '这段时间内没有变化。换个更长的时间范围，或新建一个。',
    never: '这里还没有人发布内容。',
    projects: '还没有项目',
    queries: '还没有查询',
    search: '没有找到“{{search}}”。减少关键词，或换个更长的时间范围。',
    show: {
      '30d': '显示 30 天',
      all: '显示全部时间',
    },
  },
  figures: {
    dashboards: '看板',
    queries: '查询',
    stars: '收藏',
  },
  fork: '复制',
  forked: '已复制。副本归你所有，仅自己可见。',
  linkCopied: '链接已复制',
  moreOf: '{{name}} 的更多内容',
  one: {
    dashboards: '看板',
    projects: '项目',
    queries: '查询',
  },
  ranges: {
    '24h': '24 小时',
    '7d': '7 天',
    '30d': '30 天',
    all: '全部时间',
  },
  search: {
    author: '该创作者的内容',
    clear: '清除搜索',
    help: '搜索语法',
    in: {
      addresses: '按开头或标签搜索地址',
      creators: '按名称搜索创作者',
      dashboards: '按名称、标签或创作者搜索看板',
      projects: '按名称、标签或创作者搜索项目',
      queries: '按名称、内容、标签或创作者搜索查询',
    },
    phrase: '与原文一致的词组',
    tag: '带有该标签',
    without: '不含该词',
    words: '包含这些词，顺序不限',
  },
  since: '{{date}} 加入',
  sorts: {
    favorites: '收藏',
    time: '时间',
  },
  tabs: {
    addresses: '地址',
    creators: '创作者',
    dashboards: '看板',
    projects: '项目',
    queries: '查询',
  },
  topCreators: '热门创作者',
  trendingTags: '热门标签',
};

export default { community };
