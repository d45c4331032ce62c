// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { startLanguage } from '@/i18n';
import { GridTrouble } from './grid-trouble';

function Result() {
  const [trouble, setTrouble] = useState(true);
  return (
    <div role="region" aria-label="Result">
      {trouble ? <GridTrouble onRetry={() => setTrouble(false)} /> : null}
    </div>
  );
}

it('who asks for the rows again by keys goes on at the rows', async () => {
  await startLanguage();
  render(<Result />);
  const retry = screen.getByRole('button', { name: 'Try again' });
  retry.focus();
  fireEvent.click(retry);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Result' })));
  expect(screen.queryByRole('status')).toBeNull();
});
