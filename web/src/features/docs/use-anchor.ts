// Brings the part of a page that the address names to the top, once it is there, and readers to it.
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
    const part = document.getElementById(nameOf(hash));
    if (!part) return;
    part.scrollIntoView();
    // What led here may be gone with the list that it was in.
    part.tabIndex = -1;
    part.focus({ preventScroll: true });
  }, [ready, hash, pathname]);
}
