// @vitest-environment jsdom
import { renderHook } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, it, vi } from 'vitest';
import { useAnchor } from './use-anchor';

it('brings up the part that the address names, whatever signs the address holds', () => {
  const shown = vi.fn<(id: string) => void>();
  Element.prototype.scrollIntoView = function () {
    shown(this.id);
  };
  document.body.innerHTML = '<h2 id="费率 表"></h2><h2 id="100%"></h2>';
  for (const hash of ['#%E8%B4%B9%E7%8E%87%20%E8%A1%A8', '#100%', '#nowhere']) renderHook(() => useAnchor(true), { wrapper: ({ children }) => <MemoryRouter initialEntries={[`/docs${hash}`]}>{children}</MemoryRouter> });
  expect(shown.mock.calls.flat()).toEqual(['费率 表', '100%']);
  expect(document.activeElement?.id).toBe('100%');
});
