// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SearchInput, useRested } from './search-text';

const onChange = vi.fn<(search: string) => void>();
const field = (value: string) => <SearchInput value={value} label="Search" maxLength={100} onChange={onChange} />;
const box = () => screen.getByRole<HTMLInputElement>('searchbox');
const type = (text: string) => fireEvent.change(box(), { target: { value: text } });

beforeEach(() => {
  vi.useFakeTimers();
  onChange.mockClear();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('keeps every letter while the address is behind, and hands them on after a pause', () => {
  const { rerender } = render(field(''));
  type('n');
  rerender(field(''));
  expect(box().value).toBe('n');
  type('ni');
  expect(onChange).not.toHaveBeenCalled();
  act(() => {
    vi.advanceTimersByTime(300);
  });
  expect(onChange.mock.calls).toEqual([['ni']]);
  // The address has the first letters when more are already there.
  type('ni h');
  rerender(field('ni'));
  expect(box().value).toBe('ni h');
  act(() => {
    vi.advanceTimersByTime(300);
  });
  expect(onChange.mock.lastCall).toEqual(['ni h']);
});

it('takes another search from outside, also one that it has sent before', () => {
  const { rerender } = render(field(''));
  type('gas');
  act(() => {
    vi.advanceTimersByTime(300);
  });
  rerender(field('gas'));
  rerender(field(''));
  expect(box().value).toBe('');
  rerender(field('gas'));
  expect(box().value).toBe('gas');
  act(() => {
    vi.advanceTimersByTime(1000);
  });
  expect(onChange).toHaveBeenCalledOnce();
});

it('rests until nobody has typed for a while, and is empty at once', () => {
  const { result, rerender } = renderHook((text: string) => useRested(text), { initialProps: '' });
  for (const text of ['n', 'ni', 'nif ']) {
    rerender(text);
    act(() => {
      vi.advanceTimersByTime(200);
    });
    expect(result.current).toBe('');
  }
  act(() => {
    vi.advanceTimersByTime(100);
  });
  expect(result.current).toBe('nif');
  rerender(' ');
  expect(result.current).toBe('');
});
