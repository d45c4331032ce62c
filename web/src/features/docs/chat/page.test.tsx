// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/error';
import { loadTexts, startLanguage } from '@/i18n';
import { clearSession, signIn } from '@/lib/session';
import { Component as Assistant } from './page';

const ask = vi.hoisted(() => vi.fn<(text: string, before: unknown, signal: AbortSignal) => Promise<void>>());
vi.mock('./ask', () => ({ ask, queryOf: () => null }));
vi.mock('@/api/request', () => ({ request: () => Promise.resolve({ model: false }) }));

beforeAll(async () => {
  await startLanguage();
  await Promise.all([loadTexts('assistant'), loadTexts('docs')]);
  // jsdom lays nothing out.
  Element.prototype.scrollIntoView = () => undefined;
});
beforeEach(() => {
  ask.mockReset();
  signIn(`token of ${Math.random()}`);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <Assistant />
      </MemoryRouter>
    </QueryClientProvider>,
  );
});
afterEach(() => {
  cleanup();
  act(clearSession);
});

const field = () => screen.getByRole('textbox', { name: 'Your question' });
const write = (text: string) => fireEvent.change(field(), { target: { value: text } });

it('who asks once more by keys goes on from there', async () => {
  ask.mockRejectedValueOnce(new ApiError('Too many.', 'too_many_attempts', 429));
  write('How?');
  fireEvent.click(screen.getByRole('button', { name: 'Ask' }));
  const again = await screen.findByRole('button', { name: 'Try again' });
  ask.mockResolvedValue();
  again.focus();
  fireEvent.click(again);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('alert')));
});

it('stopping an answer asks nothing of what is written meanwhile', async () => {
  ask.mockImplementation((_text, _before, signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError')))));
  write('How?');
  fireEvent.click(screen.getByRole('button', { name: 'Ask' }));
  write('And why?');
  const stop = await screen.findByRole('button', { name: 'Stop' });
  // The page can be drawn anew before the click has done what a button does.
  expect(fireEvent.click(stop)).toBe(false);
  await screen.findByText('Stopped.');
  expect(ask).toHaveBeenCalledOnce();
  expect(field()).toHaveProperty('value', 'And why?');
});
