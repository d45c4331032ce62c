// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/error';
import { loadTexts, setLanguage, startLanguage } from '@/i18n';
import { ShareSources } from './share-sources';

const call = vi.hoisted(() => vi.fn());
vi.mock('@/api/call', () => ({ call }));

beforeAll(async () => {
  await startLanguage();
  await loadTexts('share');
});
afterEach(cleanup);

function show() {
  return render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ShareSources id="q" />
    </QueryClientProvider>,
  );
}

it('whoever publishes is told which tables of others the results depend on, in both languages', async () => {
  call.mockResolvedValue([{ schema: 'user_ada', table: 'gifts' }]);
  show();
  expect((await screen.findByRole('note')).textContent).toContain('user_ada.gifts, a table that somebody shares with you');
  expect(call).toHaveBeenLastCalledWith('get', '/api/creation/tables', expect.objectContaining({ query: { id: 'q' } }));
  await setLanguage('zh');
  await waitFor(() => expect(screen.getByRole('note').textContent).toContain('他人分享给你的表 user_ada.gifts'));
  await setLanguage('en');
});

it('results of no table of others need no note, and what could not be looked up is said', async () => {
  call.mockResolvedValue([]);
  const { container, unmount } = show();
  await waitFor(() => expect(call).toHaveBeenCalled());
  expect(container.textContent).toBe('');
  unmount();
  call.mockRejectedValue(new ApiError('', 'network', 0));
  show();
  expect((await screen.findByRole('alert')).textContent).toContain('could not be reached');
});
