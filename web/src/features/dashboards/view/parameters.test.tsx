// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useFilterDraft } from './parameters';

it('what was typed is gone when the values of before are applied again', () => {
  const { result, rerender } = renderHook(({ least }) => useFilterDraft({ least }), { initialProps: { least: '50' } });
  act(() => result.current.set('least', '200'));
  expect(result.current.draft).toEqual({ least: '200' });
  rerender({ least: '200' });
  expect(result.current.draft).toEqual({ least: '200' });
  rerender({ least: '50' });
  expect(result.current.draft).toEqual({ least: '50' });
});
