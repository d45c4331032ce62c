// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { startLanguage } from '@/i18n';
import { Picture } from './picture';

it('a picture that is gone says so, and does not load for ever', async () => {
  await startLanguage();
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify({ status: 'fail', code: 'not_found', msg: 'There is no such file.' }), { status: 404, headers: { 'Content-Type': 'application/json' } })));
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Picture path="feedback/1.png" name="Screenshot 1" />
    </QueryClientProvider>,
  );
  expect((await screen.findByRole('alert')).textContent).toContain('There is no such file.');
  vi.unstubAllGlobals();
});
