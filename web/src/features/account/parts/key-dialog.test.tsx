// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { loadTexts, startLanguage } from '@/i18n';
import { KeyDialog } from './key-dialog';

it('every choice has a label that can be seen, and the key that was made has the focus', async () => {
  // jsdom has the element without its methods, and knows neither of the others.
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = () => undefined;
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  vi.stubGlobal('ResizeObserver', class { observe() { return undefined; } unobserve() { return undefined; } disconnect() { return undefined; } });
  vi.stubGlobal('fetch', (address: string) => Promise.resolve(new Response(JSON.stringify({ status: 'success', data: address.includes('/create') ? { key: 'quarry_1' } : { metrics: [] } }), { headers: { 'Content-Type': 'application/json' } })));
  await startLanguage();
  await loadTexts('account');
  render(
    <QueryClientProvider client={new QueryClient()}>
      <KeyDialog onClose={() => undefined} />
    </QueryClientProvider>,
  );
  screen.getByText('How long it works', { selector: 'label' });
  fireEvent.change(screen.getByLabelText('Name of the key'), { target: { value: 'Report' } });
  fireEvent.click(screen.getByRole('button', { name: 'Generate key' }));
  const key = await screen.findByText('quarry_1');
  await waitFor(() => expect(document.activeElement).toBe(key));
});
