// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { startLanguage } from '@/i18n';
import { Part } from './part';

const loaded = vi.hoisted(() => vi.fn<() => object>());
vi.mock('./chart-more', () => loaded());
vi.mock('echarts/core', async (actual) => ({ ...(await actual<object>()), init: () => ({ setOption: () => undefined, resize: () => undefined, dispose: () => undefined }) }));

it('a chart whose code does not come says so and may be tried again', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  vi.stubGlobal('ResizeObserver', class { observe() { return undefined; } disconnect() { return undefined; } });
  vi.spyOn(console, 'error').mockReturnValue();
  await startLanguage();
  const { Chart } = await import('./chart');
  loaded.mockImplementation(() => {
    throw new Error('offline');
  });
  render(
    <Part>
      <Chart option={() => ({})} label="Gas" parts="more" />
    </Part>,
  );
  await screen.findByRole('alert');
  loaded.mockReturnValue({});
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.getByRole('img', { name: 'Gas' }).dataset['ready']).toBe('true'));
});
