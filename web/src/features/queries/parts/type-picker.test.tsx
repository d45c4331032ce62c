// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { VizId } from '@/viz/types';

beforeAll(async () => {
  // jsdom has neither; the pages that charts are on ask for both as soon as they load.
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  await i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { translation: { ...(await import('@/i18n/en')).default, ...(await import('@/i18n/en/charts')).default } } } });
  // All chart types come with it: the first import may take long on a busy machine.
  await import('./type-picker');
}, 60_000);
afterEach(cleanup);

const picker = async (chosen: VizId | undefined) => {
  const { TypePicker } = await import('./type-picker');
  const onChoose = vi.fn();
  render(<TypePicker chosen={chosen} disabled={false} onChoose={onChoose} />);
  const radio = (name: string) => screen.getByRole('radio', { name });
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
  return { onChoose, radio, press };
};

describe('type picker', () => {
  it('offers all types and can be reached once', async () => {
    await picker('bar');
    expect(screen.getAllByRole('radio')).toHaveLength(19);
    expect(screen.getAllByRole('radio').filter((one) => one.tabIndex === 0).map((one) => one.textContent)).toEqual(['Bar']);
  });

  it('moves and chooses with arrow keys, Home and End', async () => {
    const { onChoose, radio, press } = await picker('bar');
    radio('Bar').focus();
    press('ArrowRight');
    expect(document.activeElement).toBe(radio('Line'));
    press('ArrowDown');
    expect(document.activeElement).toBe(radio('Heatmap'));
    press('End');
    press('ArrowRight');
    expect(onChoose.mock.calls.flat()).toEqual(['line', 'heatmap', 'gauge', 'table']);
  });

  it('only moves while nothing is chosen', async () => {
    const { onChoose, radio, press } = await picker(undefined);
    radio('Table').focus();
    press('ArrowLeft');
    expect(document.activeElement).toBe(radio('Gauge'));
    expect(onChoose).not.toHaveBeenCalled();
  });
});
