// One sheet: as large as it will be from the start, drawn while it is near the part on show.
import { useEffect, useRef, useState, type CSSProperties, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '@/api/error';
import type * as Pdfjs from './pdf';
import css from './viewer.module.css';

interface Props {
  sheet: Pdfjs.Sheet;
  number: number;
  of: number;
  scale: number;
  room: RefObject<HTMLElement | null>;
  tools: typeof Pdfjs;
}

export function SheetView({ sheet, number, of, scale, room, tools }: Props) {
  const { t } = useTranslation();
  const place = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);

  useEffect(() => {
    if (!place.current) return;
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), { root: room.current, rootMargin: '600px 0px' });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [room]);
  useEffect(() => {
    if (!near || !canvas.current || !text.current) return;
    const clear = tools.drawSheet(sheet, scale, canvas.current, text.current, (error) => setFailed(messageOf(error)));
    return () => {
      clear();
      // The next drawing may succeed.
      setFailed(null);
    };
  }, [near, sheet, scale, tools]);

  const size = { width: Math.floor(sheet.width * scale), height: Math.floor(sheet.height * scale) };
  return (
    <section ref={place} className={css.sheet} data-sheet={number} aria-label={t('papers.sheet', { number, pages: of })} style={{ ...size, '--total-scale-factor': scale, '--scale-round-x': '1px', '--scale-round-y': '1px' } as CSSProperties}>
      <canvas ref={canvas} style={size} aria-hidden />
      <div ref={text} className={css.text} />
      {failed !== null && (
        <p className={css.failed} role="alert">
          {failed}
        </p>
      )}
    </section>
  );
}
