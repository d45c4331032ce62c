// 分享对话框，首次打开时加载。
import type { BundleTexts } from '../texts';

const texts: BundleTexts<'share'> = {
  share: {
    title: '分享 {{title}}',
    who: '谁可以查看',
    private: '私有',
    privateHint: '只有你',
    link: '凭链接',
    linkHint: '拿到链接的人都可以查看',
    public: '公开',
    publicHint: '所有人；可在发现中找到',
    address: '链接',
    embed: '嵌入其他网站',
    copy: '复制：{{what}}',
    sources_other: '此处的结果由他人分享给你的表 {{tables}} 计算得出。如果表的所有者停止分享或删除该表，读者和你都将无法再查看这些结果。',
    onlyYou: '目前没有其他人能打开。',
    renew: '更换链接',
    revoke: '收回链接',
    done: '完成',
  },
};

export default texts;
