// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { App } from 'antd';
import { MemoryRouter } from 'react-router';
import { expect, it, vi } from 'vitest';
import { startLanguage } from '@/i18n';
import { Component as Permissions } from './permissions';

const call = vi.hoisted(() => vi.fn());
vi.mock('@/api/call', () => ({ call }));

it('of clicks that follow each other none is lost, however the list is asked for between them', async () => {
  await startLanguage();
  /** What the server holds, and the calls that it has not answered yet. */
  let held: string[] = [];
  const waiting: (() => void)[] = [];
  const keys = ['system.user', 'system.role', 'system.file'];
  call.mockImplementation((method: string, path: string, { body }: { body?: { permissions: string[] } }) => {
    if (path === '/api/system/permission/list') return Promise.resolve(keys.map((permissionKey) => ({ permissionKey })));
    if (method === 'get') return Promise.resolve([{ name: 'support', note: '', permissions: held }]);
    return new Promise((resolve) => {
      waiting.push(() => {
        held = body?.permissions ?? [];
        resolve(true);
      });
    });
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <App>
        <MemoryRouter>
          <Permissions />
        </MemoryRouter>
      </App>
    </QueryClientProvider>,
  );
  const boxes = await screen.findAllByRole<HTMLInputElement>('checkbox');
  const checked = () => screen.getAllByRole<HTMLInputElement>('checkbox').map((box) => box.checked);
  const click = async (at: number) => {
    boxes[at]?.focus();
    fireEvent.click(boxes[at] as HTMLElement);
    await waitFor(() => expect(checked()[at]).toBe(true));
  };
  const answer = () =>
    act(async () => {
      waiting.shift()?.();
      // Until what follows from the answer is drawn, a list that is asked for too early above all.
      for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setTimeout(resolve));
    });
  await click(0);
  await click(1);
  await answer();
  expect(checked()).toEqual([true, true, false]);
  await click(2);
  await answer();
  await answer();
  await waitFor(() => expect(held).toEqual(keys));
  expect(checked()).toEqual([true, true, true]);
});
