// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { loadTexts, startLanguage } from '@/i18n';
import type { Value } from '../model/values';
import { useFilterDraft } from './parameters';

beforeAll(async () => {
  // jsdom has neither; the fields ask for them.
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  vi.stubGlobal('ResizeObserver', class { observe() { return undefined; } unobserve() { return undefined; } disconnect() { return undefined; } });
  await startLanguage();
  await loadTexts('dashboards');
});
afterEach(cleanup);

it('what was typed is gone when the values of before are applied again', () => {
  const { result, rerender } = renderHook(({ least }) => useFilterDraft({ least }), { initialProps: { least: '50' } });
  act(() => result.current.set('least', '200'));
  expect(result.current.draft).toEqual({ least: '200' });
  rerender({ least: '200' });
  expect(result.current.draft).toEqual({ least: '200' });
  rerender({ least: '50' });
  expect(result.current.draft).toEqual({ least: '50' });
});

it('a range that was taken back is no longer on show', async () => {
  const { ParameterField } = await import('./parameter-input');
  function Field() {
    const [value, setValue] = useState<Value>(null);
    return (
      <>
        <ParameterField parameter={{ name: 'days', title: 'Days', type: 'dateRange' }} value={value} onChange={setValue} />
        <button onClick={() => setValue(null)}>Reset</button>
        <output>{JSON.stringify(value)}</output>
      </>
    );
  }
  render(<Field />);
  const start = screen.getByLabelText<HTMLInputElement>('Days');
  const end = screen.getByLabelText<HTMLInputElement>('Days, to');
  fireEvent.change(start, { target: { value: '2026-01-01' } });
  // One day alone is no range, and stays where it was typed.
  expect([start.value, screen.getByRole('status').textContent]).toEqual(['2026-01-01', 'null']);
  fireEvent.change(end, { target: { value: '2026-01-31' } });
  expect(screen.getByRole('status').textContent).toBe('{"start":"2026-01-01","end":"2026-01-31"}');
  fireEvent.click(screen.getByText('Reset'));
  expect([start.value, end.value]).toEqual(['', '']);
});

it('what is no number is not applied', async () => {
  const { Parameters } = await import('./parameters');
  const parameters = [{ name: 'least', title: 'Least', type: 'number' as const }];
  const bar = (draft: string) => <Parameters parameters={parameters} applied={{ least: null }} filters={{ draft: { least: draft }, set: () => undefined }} onApply={() => undefined} />;
  const { rerender } = render(bar('1e'));
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Apply' }).disabled).toBe(true);
  rerender(bar('-12.50'));
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Apply' }).disabled).toBe(false);
});
