// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { Button } from './button';

it('a busy button keeps the focus and submits nothing a second time', () => {
  const submitted = vi.fn((event: Event) => event.preventDefault());
  const pressed = vi.fn();
  const form = (busy: boolean) => (
    <form onSubmit={(event) => submitted(event.nativeEvent)}>
      <Button type="submit" busy={busy} disabled={false} onClick={pressed}>
        Save
      </Button>
    </form>
  );
  const { rerender } = render(form(false));
  const button = screen.getByRole('button', { name: 'Save' });
  button.focus();
  fireEvent.click(button);
  rerender(form(true));
  fireEvent.click(button);
  expect(submitted).toHaveBeenCalledTimes(1);
  expect(pressed).toHaveBeenCalledTimes(1);
  expect(document.activeElement).toBe(button);
});
