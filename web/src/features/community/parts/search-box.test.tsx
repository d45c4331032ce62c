// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { loadTexts, startLanguage } from '@/i18n';
import { SearchBox } from './search-box';

it('what the operators mean is closed by Escape, by a click elsewhere and by the search itself', async () => {
  await startLanguage();
  await loadTexts('community');
  const onChange = vi.fn<(search: string) => void>();
  render(<SearchBox explained value="gas" label="Search" onChange={onChange} />);
  const shown = () => screen.queryByText('tag:dex') !== null;
  const open = () => fireEvent.click(screen.getByRole('button', { expanded: false }));
  const box = screen.getByRole('searchbox');

  open();
  expect(shown()).toBe(true);
  fireEvent.pointerDown(box);
  expect(shown()).toBe(true);
  // Without this the browser empties the search, too.
  expect(fireEvent.keyDown(box, { key: 'Escape' })).toBe(false);
  expect(shown()).toBe(false);
  open();
  fireEvent.pointerDown(document.body);
  expect(shown()).toBe(false);
  open();
  fireEvent.submit(box);
  expect([shown(), onChange.mock.lastCall]).toEqual([false, ['gas']]);
});
