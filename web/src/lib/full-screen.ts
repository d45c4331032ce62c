// Showing one element on the whole screen, and following when the person leaves.
import { useEffect, useState, type RefObject } from 'react';

export function useFullScreen(element: RefObject<HTMLElement | null>) {
  const [on, setOn] = useState(false);
  useEffect(() => {
    const follow = () => setOn(document.fullscreenElement !== null && document.fullscreenElement === element.current);
    document.addEventListener('fullscreenchange', follow);
    return () => document.removeEventListener('fullscreenchange', follow);
  }, [element]);
  return {
    on,
    possible: document.fullscreenEnabled,
    toggle: () => void (on ? document.exitFullscreen() : element.current?.requestFullscreen()),
  };
}
