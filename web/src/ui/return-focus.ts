/** Who closes a dialog by keys goes on where they opened it: at the top of the page they would have to find their way anew. */
import { useEffect, useState } from 'react';

/** For what is mounted when it opens and gone when it closes: gives the focus back, unless something else has it by then. */
export function useReturnFocus(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const lost = document.activeElement === null || document.activeElement === document.body;
      if (lost && opener instanceof HTMLElement && opener.isConnected) opener.focus();
    },
    [opener],
  );
}
