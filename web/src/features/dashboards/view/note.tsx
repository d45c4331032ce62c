// A text on a board: it scrolls inside of its card, and where the card is too small for it there is a way to read it as a whole.
import { Maximize2 } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import css from './note.module.css';

interface NoteProps {
  /** What the card is called, for readers who can't see it. */
  label: string;
  /** The card shows its title above the text. */
  titled: boolean;
  /** The card has room for one line. */
  flat: boolean;
  /** Whoever only looks at the board can open the text; who edits it has its size in hand. */
  opens: boolean;
  children: ReactNode;
}

export function Note({ label, titled, flat, opens, children }: NoteProps) {
  const { t } = useTranslation();
  const { view, text, hidden } = useHidden();
  const [open, setOpen] = useState(false);
  const whole = (
    <Dialog title={label} wide onClose={() => setOpen(false)} actions={<Button onClick={() => setOpen(false)}>{t('common.close')}</Button>}>
      {/* The first thing that takes the focus, so that the text is read from its beginning. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={css.whole} tabIndex={0} role="group" aria-label={label}>
        {children}
      </div>
    </Dialog>
  );
  return (
    <div className={css.note} data-titled={titled} data-flat={flat} data-opens={hidden && opens}>
      {/* Long texts scroll, so the keyboard has to be able to reach them. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={view} className={css.view} tabIndex={0} role="group" aria-label={label}>
        <div ref={text} className={css.text}>
          {children}
        </div>
      </div>
      {hidden && opens ? <IconButton className={css.opener} size="small" data-export="no" label={t('dashboards.wholeText', { title: label })} icon={<Maximize2 size={14} strokeWidth={1.6} />} onClick={() => setOpen(true)} /> : null}
      {open ? whole : null}
    </div>
  );
}

/** Whether a part of the text is out of sight. */
function useHidden() {
  const view = useRef<HTMLDivElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState(false);
  useEffect(() => {
    const [outer, inner] = [view.current, text.current];
    if (!outer || !inner) return;
    // Sizes are rounded, so that one pixel says nothing.
    const observer = new ResizeObserver(() => setHidden(outer.scrollHeight > outer.clientHeight + 1 || outer.scrollWidth > outer.clientWidth + 1));
    observer.observe(outer);
    observer.observe(inner);
    return () => observer.disconnect();
  }, []);
  return { view, text, hidden };
}
