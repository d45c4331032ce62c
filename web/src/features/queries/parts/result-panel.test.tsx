// @vitest-environment jsdom
import { fireEvent, render, screen, within } from '@testing-library/react';
import { beforeAll, expect, it, vi } from 'vitest';
import { startLanguage } from '@/i18n';
import type { ChartDraft } from '../model/drafts';

beforeAll(async () => {
  // jsdom has neither; the charts and the tabs ask for them.
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  Element.prototype.scrollIntoView = () => undefined;
  await startLanguage();
  // All chart types come with it: the first import may take long on a busy machine.
  await import('./result-panel');
}, 60_000);

it('tells of no rows where an error stands in their place', async () => {
  const { RESULT_TAB, ResultPanel } = await import('./result-panel');
  const result = { key: 'old', data: { columns: [], rows: [], total: 0 }, error: null, loading: false, retry: () => undefined, finishTime: 5, elapsedMs: 5, jobId: 'old', cutAt: null };
  const panel = (instead: string | null) => (
    <ResultPanel former result={result} fetchRows={() => Promise.reject(new Error('There is nothing to fetch'))} rows={{ table: undefined, error: null, retry: () => undefined }} charts={[]} running={false} tab={RESULT_TAB} drawn={false} pages={undefined} instead={instead} onTab={() => undefined} onAdd={null} />
  );
  const facts = () => [screen.queryByText(/^Result of/), screen.queryByText(/^0 rows/), screen.queryByText('Export')].map((fact) => fact !== null);
  const { rerender } = render(panel(null));
  expect(facts()).toEqual([true, true, true]);
  rerender(panel('There is no such table.'));
  screen.getByText('There is no such table.');
  expect(facts()).toEqual([false, false, false]);
});

it('a chart whose rows do not come says why instead of waiting for ever', async () => {
  const { ResultPanel } = await import('./result-panel');
  const result = { key: 'long', data: { columns: [{ name: 'n', type: 'int' }], rows: [[1]], total: 500 }, error: null, loading: false, retry: () => undefined, finishTime: 5, elapsedMs: 5, jobId: 'long', cutAt: null };
  const retry = vi.fn<() => void>();
  const chart = { id: 'c', type: 'line', title: 'Gas', options: {}, saved: null } as unknown as ChartDraft;
  render(<ResultPanel former={false} result={result} fetchRows={() => Promise.resolve([])} rows={{ table: undefined, error: new Error('no connection'), retry }} charts={[chart]} running={false} tab="c" drawn={false} pages={undefined} instead={null} onTab={() => undefined} onAdd={null} />);
  fireEvent.click(within(screen.getByRole('alert')).getByRole('button', { name: 'Try again' }));
  expect(retry).toHaveBeenCalledOnce();
});
