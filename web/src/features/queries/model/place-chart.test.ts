import { expect, test, vi } from 'vitest';
import { call } from '@/api/call';
import { listRuns, startRun } from '@/api/queries';
import { placeAfter, runFirst } from './place-chart';

vi.mock('@/api/call');
vi.mock('@/api/queries');

test('a chart takes the free half of the last row, else a row of its own', () => {
  expect(placeAfter([])).toEqual({ x: 0, y: 0, w: 6, h: 8 });
  expect(placeAfter([{ x: 0, y: 0, w: 6, h: 8 }])).toEqual({ x: 6, y: 0, w: 6, h: 8 });
  expect(placeAfter([{ x: 0, y: 0, w: 12, h: 8 }])).toEqual({ x: 0, y: 8, w: 6, h: 8 });
  // The half is free only at its lower end.
  expect(placeAfter([{ x: 0, y: 0, w: 12, h: 4 }, { x: 0, y: 4, w: 6, h: 8 }])).toEqual({ x: 6, y: 4, w: 6, h: 8 });
  expect(placeAfter([{ x: 0, y: 0, w: 12, h: 8 }, { x: 0, y: 8, w: 4, h: 3 }])).toEqual({ x: 0, y: 11, w: 6, h: 8 });
});

test('a query that has never run is run for its chart, and only then', async () => {
  const runs = (total: number) => vi.mocked(listRuns).mockResolvedValue({ total } as Awaited<ReturnType<typeof listRuns>>);
  vi.mocked(startRun).mockResolvedValue({ jobId: 'j1' });
  runs(3);
  await runFirst('q1');
  expect(startRun).not.toHaveBeenCalled();
  runs(0);
  await runFirst('q1');
  expect(startRun).toHaveBeenCalledWith('q1', {}, null);
  expect(call).toHaveBeenCalledWith('get', '/api/job/{jobId}', expect.objectContaining({ path: { jobId: 'j1' } }));
});
