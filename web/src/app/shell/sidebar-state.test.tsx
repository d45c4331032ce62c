// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { Layout } from '../handle';
import { useSidebar } from './sidebar-state';

const opened = (layout: Layout) => renderHook(({ layout }) => useSidebar(layout), { initialProps: { layout } });

beforeEach(() => localStorage.clear());

it('is open on pages and a rail in workbenches until somebody chooses', () => {
  const { result, rerender } = opened('page');
  expect(result.current.open).toBe(true);
  rerender({ layout: 'workbench' });
  expect(result.current.open).toBe(false);
});

it.each(['page', 'workbench'] as const)('what is chosen on a %s holds everywhere, also after a reload', (layout) => {
  const { result, rerender } = opened(layout);
  const chosen = !result.current.open;
  act(() => result.current.toggle());
  for (const next of ['workbench', 'page'] as const) {
    rerender({ layout: next });
    expect([result.current.open, opened(next).result.current.open]).toEqual([chosen, chosen]);
  }
});
