// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { beforeAll, expect, it, vi } from 'vitest';
import type { SavedQuery } from '@/api/queries';
import { loadTexts, startLanguage } from '@/i18n';
import { ConflictDialog } from './conflict-dialog';

beforeAll(async () => {
  // jsdom opens no dialogs.
  Object.assign(HTMLDialogElement.prototype, { showModal: vi.fn(), close: vi.fn() });
  await startLanguage();
  await loadTexts('editors');
});

it('one’s own text is saved once, however often somebody presses', () => {
  const onMine = vi.fn();
  const dialog = (saving: boolean) => <ConflictDialog theirs={{ updateTime: 1 } as SavedQuery} saving={saving} onCompare={vi.fn()} onTheirs={vi.fn()} onMine={onMine} onClose={vi.fn()} />;
  const { rerender } = render(dialog(false));
  const press = () => fireEvent.click(screen.getByText('Save mine'));
  press();
  rerender(dialog(true));
  press();
  expect(onMine).toHaveBeenCalledOnce();
});
