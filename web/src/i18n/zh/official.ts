// 官方看板与指标。
import type { BundleTexts } from '../texts';

const texts: BundleTexts<'official'> = {
  official: {
    title: '官方看板',
    lead: '由 Quarry 维护的链上指标。',
    none: '还没有看板',
    charts_other: '{{count}} 张图表',
    openDashboard: '打开看板',
    openQuery: '打开查询',
    openInQuarry: '在 Quarry 中打开',
    promptTitle: '登录后查看该指标。',
    prompt: '访客可查看各指标 30 天前的部分。登录或注册后查看其余部分；高级方案提供最新数据。',
    promptUntil: '访客可查看至 {{until}}。登录或注册后查看其余部分；高级方案提供最新数据。',
    signUp: '注册',
    resolution: '粒度',
    resolutions: { '1 Hour': '1 小时', '1 Day': '1 天', '1 Week': '1 周', '1 Month': '1 个月' },
    onlyResolution: '仅有 {{resolution}}粒度',
    type: '图表类型',
    pending: '正在计算……',
    period: '时段',
    days: '{{count}} 天',
    all: '全部',
    list: '官方指标',
    metrics_other: '全部 {{count}} 个指标',
    find_other: '在 {{count}} 个指标中查找',
    nothing: '没有包含这些词的指标。',
    stats: { latest: '最新，{{at}}', change: '30 天变化', low: '最低，{{at}}', high: '最高，{{at}}', median: '时段中位数' },
    series: '获取该序列',
    seriesHint: '时间为 UTC。未登录时数据截至 30 天前。',
    usedIn: '出现在',
    favorites_other: '{{favorites}} 次收藏',
  },
};

export default texts;
