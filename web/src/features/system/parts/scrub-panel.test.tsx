// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { setLanguage, startLanguage } from '@/i18n';
import { ScrubPanel } from './scrub-panel';

const damaged = { path: 'logs/0123.parquet', blocks: { from: 100, to: 199 }, time: 1_700_000_000_000, detail: 'its bytes differ from its checksum' };
const last = { started: 1_700_000_000_000, ended: 1_700_000_100_000, files: 12, bytes: 3_000_000, damaged: 1 };

const panel = (node: boolean) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ScrubPanel scrub={{ current: null, last, damaged: [damaged] }} databases={{ at: 1_700_000_000_000, database: null, catalogue: null }} node={node} />
    </QueryClientProvider>,
  );

it('a damaged file is named with the command that repairs it, in the language of the page', async () => {
  await startLanguage();
  await setLanguage('en');
  const english = panel(true);
  expect(screen.getByText('logs/0123.parquet')).toBeTruthy();
  expect(screen.getByText('quarry ingest --overwrite --from 100 --to 199')).toBeTruthy();
  english.unmount();
  await setLanguage('zh');
  panel(false);
  expect(await screen.findByText('内容与校验和不符')).toBeTruthy();
  // A simulated chain comes from no node.
  expect(screen.queryByText(/quarry ingest/)).toBeNull();
});
