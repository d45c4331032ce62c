// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { loadTexts, startLanguage } from '@/i18n';
import { result } from './fixture';
import { Levels } from './levels';

beforeAll(async () => {
  await startLanguage();
  await loadTexts('charts');
});

afterEach(cleanup);

const table = result([['standard', 'varchar'], ['token', 'varchar'], ['holder', 'varchar']], ['erc20', 'USD', 'ada']);

function Field({ first }: { first: string[] }) {
  const [columns, setColumns] = useState(first);
  return (
    <>
      <Levels label="Path" table={table} value={columns} onChange={setColumns} />
      <output>{columns.join(' > ')}</output>
    </>
  );
}

const order = () => screen.getByRole('status').textContent;
const button = (name: string) => screen.getByRole('button', { name });
const press = (name: string) => {
  button(name).focus();
  fireEvent.click(button(name));
};

it('levels change their order, and the focus goes along with the one that moves', () => {
  render(<Field first={['standard', 'token', 'holder']} />);
  press('Move standard down');
  expect([order(), document.activeElement]).toEqual(['token > standard > holder', button('Move standard down')]);
  press('Move standard down');
  // At the end of the list there is only the way back.
  expect([order(), document.activeElement]).toEqual(['token > holder > standard', button('Move standard up')]);
  press('Move holder up');
  expect([order(), document.activeElement]).toEqual(['holder > token > standard', button('Move holder down')]);
  expect([button('Move holder up'), button('Move standard down')].map((one) => (one as HTMLButtonElement).disabled)).toEqual([true, true]);
});

it('a level is removed and added again, until every column is one', () => {
  render(<Field first={['standard', 'token', 'holder']} />);
  expect(screen.queryByRole('button', { name: 'Add column' })).toBeNull();
  press('Remove token');
  expect([order(), document.activeElement]).toEqual(['standard > holder', button('Remove holder')]);
  press('Remove holder');
  press('Remove standard');
  expect([order(), document.activeElement]).toEqual(['', button('Add column')]);
  press('Add column');
  expect([order(), document.activeElement]).toEqual(['standard', screen.getByRole('combobox', { name: 'Column 1' })]);
});

it('a column that is named twice is said to be so', () => {
  render(<Field first={['token', 'standard', 'token']} />);
  expect(screen.getByRole('alert').textContent).toBe('token stands twice in the order. Choose another column, or remove one.');
  fireEvent.click(screen.getAllByRole('button', { name: 'Remove token' })[1] as HTMLElement);
  expect([order(), screen.queryByRole('alert')]).toEqual(['token > standard', null]);
});
