// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { FilterFold } from './filter-fold';

afterEach(cleanup);

test('the button says how many filters are set and opens them; sending them folds them away', () => {
  const send = vi.fn((event: React.SyntheticEvent) => event.preventDefault());
  render(
    <FilterFold active={2}>
      <form onSubmit={send}>
        <button type="submit">Search</button>
      </form>
    </FilterFold>,
  );
  const [toggle, search] = screen.getAllByRole('button');
  if (!toggle || !search) throw new Error('a button is missing');
  expect(toggle.textContent).toContain('2');
  const open = () => document.getElementById(toggle.getAttribute('aria-controls') ?? '')?.dataset['open'];
  expect([toggle.getAttribute('aria-expanded'), open()]).toEqual(['false', 'false']);
  fireEvent.click(toggle);
  expect([toggle.getAttribute('aria-expanded'), open()]).toEqual(['true', 'true']);
  fireEvent.click(search);
  expect(send).toHaveBeenCalledTimes(1);
  expect([toggle.getAttribute('aria-expanded'), open()]).toEqual(['false', 'false']);
});
