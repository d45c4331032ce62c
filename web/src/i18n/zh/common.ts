// Words used all over the product.
export const common = {
  ago: '{{duration}}前',
  appName: 'Quarry',
  cancel: '取消',
  close: '关闭',
  copied: '已复制',
  copy: '复制',
  hidePassword: '隐藏密码',
  justNow: '刚刚',
  loading: '加载中',
  noData: '暂无数据',
  ok: '确定',
  retry: '重试',
  share: '分享',
  showPassword: '显示密码',
  units: {
    second: '{{value}} 秒',
    minute: '{{value}} 分钟',
    hour: '{{value}} 小时',
    day: '{{value}} 天',
  },
};
