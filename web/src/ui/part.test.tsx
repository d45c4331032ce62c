// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { startLanguage } from '@/i18n';
import { Notices } from './notices';
import { lazyPart, loadAgain, Part } from './part';
import { Failed } from './parts';

beforeAll(() => startLanguage());
afterEach(cleanup);

/** Breaks on what it is told to break on. */
function Chart({ rows }: { rows: number | null }) {
  if (rows === null) throw new Error('no rows');
  return <p>{rows} rows</p>;
}

/** Code that comes once the connection is back. */
function loader() {
  const load = vi.fn<() => Promise<{ default: typeof Chart }>>().mockRejectedValue(new TypeError('Failed to fetch dynamically imported module: /assets/chart.js'));
  return { load, Late: lazyPart(load), back: () => load.mockResolvedValue({ default: Chart }) };
}

it('what breaks takes nothing else away, and is there again with other data', () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const card = (rows: number | null) => (
    <>
      <Part of={[rows]}>
        <Chart rows={rows} />
      </Part>
      <p>The card beside it</p>
    </>
  );
  const { rerender } = render(card(null));
  expect(screen.getByRole('alert').textContent).toContain('broke');
  screen.getByText('The card beside it');
  rerender(card(3));
  screen.getByText('3 rows');
  expect(screen.queryByRole('alert')).toBeNull();
});

it('a try that fails again ends there', () => {
  const errors = vi.spyOn(console, 'error').mockReturnValue();
  render(
    <Part>
      <Chart rows={null} />
    </Part>,
  );
  const before = errors.mock.calls.length;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  screen.getByRole('alert');
  expect(errors.mock.calls.length).toBeLessThanOrEqual(2 * before);
});

it('code that could not be loaded is asked for again, for all parts that wait for it', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const { Late, back } = loader();
  render(
    <>
      <Part waiting={<p>waiting</p>}>
        <Late rows={1} />
      </Part>
      <Part>
        <Late rows={2} />
      </Part>
    </>,
  );
  await waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(2));
  expect(screen.getAllByRole('alert')[0]?.textContent).toContain('could not be loaded');
  back();
  fireEvent.click(screen.getAllByRole('button', { name: 'Try again' })[0] as HTMLElement);
  await screen.findByText('1 rows');
  await screen.findByText('2 rows');
});

it('is there again by itself when the connection is', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const { Late, back, load } = loader();
  render(
    <Part>
      <Late rows={4} />
    </Part>,
  );
  await screen.findByRole('alert');
  const before = load.mock.calls.length;
  loadAgain();
  await waitFor(() => expect(load.mock.calls.length).toBeGreaterThan(before));
  await screen.findByRole('alert');
  back();
  loadAgain();
  await screen.findByText('4 rows');
});

it('a window that can not be opened says so in a notice, and can be opened later', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const { Late, back } = loader();
  function Page() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <Notices />
        <button onClick={() => setOpen(true)}>Open</button>
        {open && (
          <Part onGone={() => setOpen(false)}>
            <Late rows={5} />
          </Part>
        )}
      </>
    );
  }
  render(<Page />);
  fireEvent.click(screen.getByText('Open'));
  expect((await screen.findByRole('alert')).textContent).toContain('could not be loaded');
  back();
  fireEvent.click(screen.getByText('Open'));
  await screen.findByText('5 rows');
});

it('what nobody misses leaves without a word', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const { Late, load } = loader();
  render(
    <Part quiet>
      <Late rows={6} />
    </Part>,
  );
  await waitFor(() => expect(load).toHaveBeenCalled());
  await waitFor(() => expect(document.body.textContent).toBe(''));
  expect(screen.queryByRole('alert')).toBeNull();
});

it('who tries again by keys goes on where the part comes', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const { Late, back } = loader();
  render(
    <section aria-label="Card">
      <Part waiting={<p>waiting</p>}>
        <Late rows={7} />
      </Part>
    </section>,
  );
  const button = await screen.findByRole('button', { name: 'Try again' });
  button.focus();
  back();
  fireEvent.click(button);
  await screen.findByText('7 rows');
  const card = screen.getByRole('region', { name: 'Card' });
  expect(document.activeElement).toBe(card);
  // The card is no stop of its own once the person goes on.
  card.blur();
  expect(card.hasAttribute('tabindex')).toBe(false);
});

it('what comes in the place of failed data takes the focus no further than to what is around it, and not from elsewhere', async () => {
  const page = (failed: boolean) => (
    <>
      <main>
        <h1>Page</h1>
        {failed ? (
          <div>
            <Failed message="It could not be read." onRetry={() => undefined} />
          </div>
        ) : (
          <p>data</p>
        )}
      </main>
      <input aria-label="elsewhere" />
    </>
  );
  const { rerender } = render(page(true));
  screen.getByRole('button', { name: 'Try again' }).focus();
  rerender(page(false));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')));
  rerender(page(true));
  screen.getByLabelText('elsewhere').focus();
  rerender(page(false));
  await Promise.resolve();
  expect(document.activeElement).toBe(screen.getByLabelText('elsewhere'));
});
