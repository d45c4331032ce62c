// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { App } from 'antd';
import { expect, it } from 'vitest';
import { setLanguage, startLanguage } from '@/i18n';
import { CheckPanel } from './check-panel';
import { FollowPanel } from './follow-panel';

it('what stops following and checking is told in the language of the page', async () => {
  await startLanguage();
  await setLanguage('zh');
  const check = { blocksDone: 0, blocksTotal: 0, found: [], mismatches: 0, startedAt: 0, state: 'failed' as const, trouble: 'The lake holds no blocks.' };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <App>
        <FollowPanel follow={{ configured: true, nodes: ['http://node:8545'], running: true, trouble: 'No node responded.' }} />
        <CheckPanel check={check} held={1} />
      </App>
    </QueryClientProvider>,
  );
  expect(await screen.findByText('没有节点应答。')).toBeTruthy();
  expect(await screen.findByText('数据湖中没有区块。')).toBeTruthy();
});
