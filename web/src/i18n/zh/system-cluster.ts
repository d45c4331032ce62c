// 管理后台中的集群页面。
export const systemCluster = {
  worker: '工作节点',
  build: '构建版本',
  runs: '运行中的查询',
  memory: '已用内存 / 上限',
  lastFailure: '最近一次故障',
  states: { alive: '可用', draining: '排空中', other_build: '版本不同', lost: '失联' },
  drain: '排空',
  drainOf: '排空 {{worker}}',
  drainTitle: '排空 {{worker}}？',
  drainText: '该节点不再接收新查询，待正在运行的查询完成后，其进程随即退出。如果由 systemd 等服务管理器自动重启，它会重新接收查询。',
  drained: '{{worker}} 不再接收新查询，最后一个查询完成后退出。',
  otherBuild_other: '{{count}} 个工作节点的构建版本与本服务器不同，因此不会收到查询。请在这些节点上安装相同的版本，然后重启。',
  off: '此服务器未启用集群',
  offText: '查询只在本机运行。要把查询分给其他机器上的工作节点，请用以下选项启动服务器：',
  none: '还没有工作节点',
  noneText: '在有工作节点注册之前，查询只在本机运行。请在另一台机器上启动工作节点，并填写本服务器启动时输出的地址：',
};
