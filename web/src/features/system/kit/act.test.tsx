// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { App } from 'antd';
import { useState } from 'react';
import { beforeAll, expect, it, vi } from 'vitest';
import { startLanguage } from '@/i18n';
import { useAct } from './act';

beforeAll(() => startLanguage());

it('two quick clicks on one button are one action, and other buttons go on', async () => {
  const free: (() => void)[] = [];
  const run = vi.fn<(name: string) => Promise<void>>(() => new Promise((resolve) => free.push(resolve)));
  function Buttons() {
    const work = useAct();
    return ['first', 'second'].map((name) => (
      <button key={name} type="button" onClick={() => work({ run: () => run(name), done: 'Done.' })}>
        {name}
      </button>
    ));
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <App>
        <Buttons />
      </App>
    </QueryClientProvider>,
  );
  const click = (name: string) => {
    const button = screen.getByRole('button', { name });
    button.focus();
    fireEvent.click(button);
  };
  click('first');
  click('first');
  click('second');
  expect(run.mock.calls).toEqual([['first'], ['second']]);
  await act(async () => {
    free[0]?.();
    await Promise.resolve();
  });
  await vi.waitFor(() => {
    click('first');
    expect(run.mock.calls.slice(2)).toEqual([['first']]);
  });
});

it('who removes a row by keys goes on in the list', async () => {
  function List() {
    const work = useAct();
    const [there, setThere] = useState(true);
    const run = () => {
      setThere(false);
      return Promise.resolve();
    };
    const remove = () => work({ run, done: 'Removed.', confirm: { title: 'Remove it?', ok: 'Yes' } });
    return (
      <section aria-label="list">
        {there ? (
          <button type="button" onClick={remove}>
            Remove
          </button>
        ) : null}
      </section>
    );
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <App>
        <List />
      </App>
    </QueryClientProvider>,
  );
  const remove = screen.getByRole('button', { name: 'Remove' });
  remove.focus();
  fireEvent.click(remove);
  fireEvent.click(await screen.findByRole('button', { name: 'Yes' }));
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole('region', { name: 'list' })), { timeout: 5_000 });
});
