// @vitest-environment jsdom
import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { startLanguage } from '@/i18n';
import { FilterBar } from './filter-bar';

it('a day that is typed stays in its field while the address is behind', async () => {
  await startLanguage();
  vi.useFakeTimers();
  const change = vi.fn<(values: Readonly<Record<string, string>>) => void>();
  const filters = { values: {}, page: 1, size: 20, query: {}, change, turn: () => undefined, reset: () => undefined };
  render(<FilterBar specs={[{ kind: 'days', label: 'Made' }]} filters={filters} />);
  const [from] = screen.getAllByLabelText<HTMLInputElement>(/^Made,/);
  if (!from) throw new Error('there is no first day');
  fireEvent.change(from, { target: { value: '0202-11-05' } });
  expect(from.value).toBe('0202-11-05');
  fireEvent.change(from, { target: { value: '2026-11-05' } });
  expect(change).not.toHaveBeenCalled();
  act(() => {
    vi.advanceTimersByTime(300);
  });
  expect(change.mock.calls).toEqual([[{ from: '2026-11-05' }]]);
  vi.useRealTimers();
});
