// 命令面板。
import type { BundleTexts } from '../texts';

const texts: BundleTexts<'palette'> = {
  palette: {
    title: '搜索与命令',
    search: '搜索或跳转…',
    none: '没有匹配的内容。',
    found_other: '{{count}} 项',
    groups: { actions: '操作', pages: '页面', queries: '我的查询', dashboards: '我的看板', tables: '表', functions: '函数' },
  },
};

export default texts;
