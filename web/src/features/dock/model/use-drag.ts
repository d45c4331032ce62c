// Dragging a panel by its header: how far it is from where it would stand, kept inside the window.
import { useEffect, useRef, useState, type PointerEvent } from 'react';

export interface Offset {
  x: number;
  y: number;
}

interface Drag {
  offset: Offset;
  /** For the header: pressing it and moving drags the panel. */
  handlers: {
    onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    onPointerUp: () => void;
    onPointerCancel: () => void;
  };
}

/** `panel` is what moves; its box may not leave the window by a side or above. */
export function useDrag(panel: React.RefObject<HTMLElement | null>): Drag {
  const [offset, setOffset] = useState<Offset>({ x: 0, y: 0 });
  const start = useRef<{ x: number; y: number; offset: Offset; box: DOMRect } | null>(null);
  const end = () => {
    start.current = null;
  };
  // In a smaller window the panel could be out of reach where it was dragged to: it stands where it stood at first.
  useEffect(() => {
    const reset = () => setOffset({ x: 0, y: 0 });
    addEventListener('resize', reset);
    return () => removeEventListener('resize', reset);
  }, []);
  return {
    offset,
    handlers: {
      onPointerDown(event) {
        const box = panel.current?.getBoundingClientRect();
        if (event.button !== 0 || !box || (event.target instanceof Element && event.target.closest('button'))) return;
        start.current = { x: event.clientX, y: event.clientY, offset, box };
        event.currentTarget.setPointerCapture(event.pointerId);
      },
      onPointerMove(event) {
        const from = start.current;
        if (!from) return;
        const { box } = from;
        const x = clamp(event.clientX - from.x, -box.left, innerWidth - box.right);
        const y = clamp(event.clientY - from.y, -box.top, innerHeight - box.bottom);
        setOffset({ x: from.offset.x + x, y: from.offset.y + y });
      },
      onPointerUp: end,
      onPointerCancel: end,
    },
  };
}

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, Math.min(low, 0)), Math.max(high, 0));
