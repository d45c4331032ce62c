// A page that the menu names and whose content is not published: it says so, and where to find what people look for there.
import type { ReactNode } from 'react';
import { usePage } from '@/lib/page';
import { Empty } from '@/ui/parts';

export function Notice({ title, text, actions }: { title: string; text: string; actions: ReactNode }) {
  usePage(title);
  return (
    <Empty title={<h1>{title}</h1>} actions={actions}>
      {text}
    </Empty>
  );
}
