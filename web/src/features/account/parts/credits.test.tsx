// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, it, vi } from 'vitest';
import { call } from '@/api/call';
import { loadTexts, startLanguage } from '@/i18n';
import { Credits } from './credits';

vi.mock('@/api/call', () => ({ call: vi.fn() }));
// How wide the page is is asked for as soon as the code is there, which jsdom does not know.
vi.hoisted(() => vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined })));

it('from a page that the list never had there is a way to the first one', async () => {
  await startLanguage();
  await loadTexts('account');
  const entry = { id: 1, userId: 1, userName: 'ada', ruleKey: 'manual', points: 1_234_567, subject: '', title: '', note: 'Thanks', createdAt: 1 };
  vi.mocked(call).mockImplementation((...[, , options]: unknown[]) => Promise.resolve({ items: (options as { query: { page: number } }).query.page === 1 ? [entry] : [], total: 1 }));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter initialEntries={['/?credits.page=9']}>
        <Credits />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Go to the first page' }));
  expect((await screen.findByText('+1,234,567')).tagName).toBe('B');
});
