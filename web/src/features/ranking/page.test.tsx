// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, it, vi } from 'vitest';
import { loadTexts, startLanguage } from '@/i18n';
import { Component as Ranking } from './page';

const call = vi.hoisted(() => vi.fn());
vi.mock('@/api/call', () => ({ call }));

it('the rows of another period are no file of the one that is chosen', async () => {
  await startLanguage();
  await loadTexts('ranking');
  const row = { rank: 1, name: 'Swap', dappType: 'finance', contracts: 1, users: 10, transactions: 20, volume: '0', usersChange: null, transactionsChange: null, volumeChange: null };
  const late: (() => void)[] = [];
  call.mockImplementation((_method: string, path: string, { query }: { query?: { period: string } } = {}) => {
    if (path !== '/api/dapp/ranking') return new Promise(() => undefined);
    const answer = { items: [row] };
    return query?.period === 'day' ? Promise.resolve(answer) : new Promise((resolve) => late.push(() => resolve(answer)));
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <Ranking />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const file = () => screen.getByRole<HTMLButtonElement>('button', { name: /CSV/ });
  await waitFor(() => expect(file().disabled).toBe(false));
  fireEvent.click(screen.getByRole('radio', { name: /7|[Ww]eek/ }));
  await waitFor(() => expect(file().disabled).toBe(true));
  screen.getByText('Swap');
  await act(async () => {
    for (const answer of late) answer();
    await Promise.resolve();
  });
  await waitFor(() => expect(file().disabled).toBe(false));
});
