// What has to be seen and pressed wherever the person is: in the dialog that covers the page, or in what fills the screen.
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useTop } from './top-dialog';

export function OnTop({ children }: { children: ReactNode }) {
  const top = useTop();
  return top ? createPortal(children, top) : children;
}
