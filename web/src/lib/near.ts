// What is far from the screen is not loaded yet.
import { useEffect, useState, type RefObject } from 'react';
import { usePaper } from './paper';

/** Whether the element is on the screen or close to it, from then on; on paper everything is. */
export function useNear(element: RefObject<HTMLElement | null>, margin = '400px'): boolean {
  const [near, setNear] = useState(false);
  if (usePaper() !== null && !near) setNear(true);
  useEffect(() => {
    const found = element.current;
    if (!found || near) return;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setNear(true), { rootMargin: margin });
    observer.observe(found);
    return () => observer.disconnect();
  }, [element, near, margin]);
  return near;
}
