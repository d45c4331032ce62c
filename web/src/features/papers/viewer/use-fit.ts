// The scale at which the widest sheet fills the room, as the room grows and shrinks.
import { useEffect, useState, type RefObject } from 'react';
import type { Sheet } from './pdf';

/** Beside the sheet: the room's padding and a scrollbar. */
const beside = 44;
const largest = 1.6;

/** 0 until the room is measured. */
export function useFit(room: RefObject<HTMLElement | null>, sheets: readonly Sheet[]): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = room.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.offsetWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [room]);
  const widest = sheets.reduce((most, sheet) => Math.max(most, sheet.width), 1);
  return width === 0 ? 0 : Math.min(largest, Math.max(0.2, (width - beside) / widest));
}
