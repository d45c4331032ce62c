// Brings the part of a page that the address names to the top, once it is there.
import { useEffect } from 'react';
import { useLocation } from 'react-router';

/** The name that a hash stands for; one that is no escaped text is taken as it is written. */
function nameOf(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}

export function useAnchor(ready: boolean): void {
  const { hash, pathname } = useLocation();
  useEffect(() => {
    if (!ready || hash === '') return;
    document.getElementById(nameOf(hash))?.scrollIntoView();
  }, [ready, hash, pathname]);
}
