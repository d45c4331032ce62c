// Brings the part of a page that the address names to the top, once it is there.
import { useEffect } from 'react';
import { useLocation } from 'react-router';

export function useAnchor(ready: boolean): void {
  const { hash, pathname } = useLocation();
  useEffect(() => {
    if (!ready || hash === '') return;
    document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [ready, hash, pathname]);
}
