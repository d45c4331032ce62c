// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { remove } from '@/api/creations';
import type { SavedQuery } from '@/api/queries';
import type { ChartDraft, Draft } from './drafts';
import { changeDraft, findTab, openDraft } from './tabs';
import { saveCharts, useCharts } from './use-charts';

let made = 0;
/** What the person does while a chart is on its way to the server. */
let meanwhile: () => void = () => undefined;
vi.mock('@/api/queries', async (original) => ({
  ...(await original<object>()),
  createVisualization: () => {
    meanwhile();
    made += 1;
    return Promise.resolve({ id: `v${made}`, revision: 1 });
  },
}));

vi.mock('@/api/creations', async (original) => ({ ...(await original<object>()), remove: vi.fn(() => Promise.resolve()) }));

const chart = (id: string): ChartDraft => ({ id, type: 'bar', title: '', options: { x: 'day' } });
const draft: Draft = {
  id: 'd', owner: 'ada', kind: 'SQL', text: 'select 1', spec: null, parameters: [], values: {}, query: { id: 'q', revision: 1 }, title: 'Mine',
  job: null, resultJob: null, charts: [chart('one'), chart('two'), chart('three')], changed: 0, viewing: { share: null, titleZh: null },
};

it('what is done with charts while they are saved stays', async () => {
  openDraft(draft);
  meanwhile = () => {
    meanwhile = () => undefined;
    changeDraft('d', { charts: [{ ...chart('one'), title: 'Days' }, { ...chart('two'), options: { x: 'hour' } }, chart('four')] });
  };
  const any = await saveCharts(draft, { id: 'q', visualizations: [] } as unknown as SavedQuery, ({ title }, index) => title || `Bar ${index + 1}`);
  expect([any, made]).toEqual([true, 2]);
  expect(findTab(({ id }) => id === 'd')?.charts).toEqual([
    { ...chart('one'), title: 'Days', saved: { id: 'v1', revision: 1 } },
    { ...chart('two'), title: 'Bar 2', options: { x: 'hour' }, saved: { id: 'v2', revision: 1 } },
    chart('four'),
  ]);
});

it('a saved chart that was removed just before the page is left is deleted', () => {
  const saved = { ...draft, charts: [{ ...chart('one'), saved: { id: 'v9', revision: 1 } }] };
  const { result } = renderHook(() => useCharts(saved, () => undefined, 'result', null, []));
  act(() => result.current.remove());
  expect(remove).not.toHaveBeenCalled();
  dispatchEvent(new Event('pagehide'));
  expect(remove).toHaveBeenCalledExactlyOnceWith('visualization', 'v9', true);
});
