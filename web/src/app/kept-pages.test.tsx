// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { createMemoryRouter, Link, RouterProvider, useSearchParams } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import type { RouteHandle } from './handle';
import { KeptPages } from './kept-pages';

const kept: RouteHandle = { keepAlive: true };
const seen = vi.fn<(search: string) => void>();

/** A page with something typed and a filter in the address. */
function List() {
  const [search, setSearch] = useSearchParams();
  const [typed, setTyped] = useState('');
  useEffect(() => seen(search.toString()), [search]);
  return (
    <>
      <input aria-label="typed" value={typed} onChange={(event) => setTyped(event.target.value)} />
      <output>{search.get('tab') ?? 'none'}</output>
      <button type="button" onClick={() => setSearch({ tab: 'queries' })}>filter</button>
      <button type="button" onClick={() => setSearch({})}>clear</button>
    </>
  );
}

function open() {
  const links = ['/list', '/list?tab=projects', '/other?tab=addresses'].map((to) => <Link key={to} to={to}>{to}</Link>);
  const children = [
    { path: '/list', element: <List />, handle: kept },
    { path: '/other', element: <p>the other page</p> },
  ];
  const router = createMemoryRouter([{ element: <>{links}<KeptPages /></>, children }], { initialEntries: ['/list'] });
  render(<RouterProvider router={router} />);
  return router;
}

const go = (name: string) => fireEvent.click(screen.getByText(name));
const filter = () => screen.getByRole('status').textContent;

afterEach(() => {
  cleanup();
  seen.mockReset();
});

it('comes back as it was left: what was typed, its filters, and the address', () => {
  const router = open();
  fireEvent.change(screen.getByLabelText('typed'), { target: { value: 'gas' } });
  go('filter');
  go('/other?tab=addresses');
  expect(screen.getByText('the other page')).toBeTruthy();
  go('/list');
  expect(screen.getByLabelText<HTMLInputElement>('typed').value).toBe('gas');
  expect(filter()).toBe('queries');
  expect(router.state.location.search).toBe('?tab=queries');
  // The page never took another page's address for its own.
  expect(seen.mock.calls.flat()).not.toContain('tab=addresses');
});

it('follows a link that says what to show', () => {
  open();
  go('filter');
  go('/other?tab=addresses');
  go('/list?tab=projects');
  expect(filter()).toBe('projects');
});

it('lets filters be taken back while it is shown', () => {
  const router = open();
  go('filter');
  go('clear');
  expect(filter()).toBe('none');
  expect(router.state.location.search).toBe('');
});

it('a page that breaks leaves the frame around it, and is gone with the next one', () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const Broken = () => {
    throw new Error('a bug');
  };
  const children = [
    { path: '/broken', element: <Broken /> },
    { path: '/kept', element: <Broken />, handle: kept },
    { path: '/other', element: <p>the other page</p> },
  ];
  const links = children.map(({ path }) => <Link key={path} to={path}>{path}</Link>);
  render(<RouterProvider router={createMemoryRouter([{ element: <>{links}<KeptPages /></>, children }], { initialEntries: ['/broken'] })} />);
  expect(screen.getByRole('alert').textContent).toBeTruthy();
  go('/other');
  screen.getByText('the other page');
  go('/kept');
  expect(screen.getByRole('alert').textContent).toBeTruthy();
  go('/other');
  screen.getByText('the other page');
});
