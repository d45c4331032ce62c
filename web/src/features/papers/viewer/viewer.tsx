// A PDF file in the page: all its sheets below each other, drawn when they come near; page, zoom, full screen, saving.
import { ChevronLeft, ChevronRight, Download, Maximize, Minimize, MoveHorizontal, ZoomIn, ZoomOut } from 'lucide-react';
import { useCallback, useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '@/api/error';
import { useFullScreen } from '@/lib/full-screen';
import { inTime, NotLoaded } from '@/lib/loading';
import { saveFile } from '@/lib/save-file';
import { IconButton } from '@/ui/button';
import { Empty, ProgressBar } from '@/ui/parts';
import type * as Pdfjs from './pdf';
import { PageField } from './page-field';
import { SheetView } from './sheet';
import { useFit } from './use-fit';
import css from './viewer.module.css';

type Opened = { pdf: Pdfjs.Pdf; tools: typeof Pdfjs } | { reason: 'locked' | 'broken' | null; message: string } | { missing: NotLoaded };

const icon = { size: 17, strokeWidth: 1.6 };
const steps = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];

export function PdfViewer({ file, title }: { file: Blob; title: string }) {
  const { t } = useTranslation();
  const opened = useOpened(file);
  if (opened === null) {
    return (
      <div className={css.waiting}>
        <ProgressBar percent={null} label={t('papers.opening')} />
        <p>{t('papers.opening')}</p>
      </div>
    );
  }
  // The part around it tells so, and begins anew.
  if ('missing' in opened) throw opened.missing;
  if ('reason' in opened) {
    return (
      <div className={css.waiting}>
        <Empty title={t('papers.cannotShow')}>{opened.reason ? t(`papers.reason.${opened.reason}`) : opened.message}</Empty>
      </div>
    );
  }
  return <Sheets {...opened} file={file} title={title} />;
}

/** The opened file; null while it opens. */
function useOpened(file: Blob): Opened | null {
  const [opened, setOpened] = useState<Opened | null>(null);
  useEffect(() => {
    let left = false;
    let pdf: Pdfjs.Pdf | undefined;
    const open = async () => {
      const tools = await inTime(() => import('./pdf'));
      try {
        pdf = await tools.openPdf(file);
        if (left) await pdf.close();
        else setOpened({ pdf, tools });
      } catch (error) {
        if (!left) setOpened({ reason: tools.reasonOf(error), message: messageOf(error) });
      }
    };
    open().catch((error: unknown) => !left && setOpened({ missing: new NotLoaded(error) }));
    return () => {
      left = true;
      void pdf?.close();
    };
  }, [file]);
  return opened;
}

function Sheets({ pdf: { sheets }, tools, file, title }: { pdf: Pdfjs.Pdf; tools: typeof Pdfjs; file: Blob; title: string }) {
  const { t } = useTranslation();
  const root = useRef<HTMLDivElement>(null);
  const room = useRef<HTMLDivElement>(null);
  const full = useFullScreen(root);
  const fit = useFit(room, sheets);
  /** Null: as wide as the room. */
  const [zoom, setZoom] = useState<number | null>(null);
  const [current, setCurrent] = useState(1);
  const scale = zoom ?? fit;

  const go = useCallback((number: number) => {
    const sheet = room.current?.querySelector<HTMLElement>(`[data-sheet="${number}"]`);
    if (sheet && room.current) room.current.scrollTop = sheet.offsetTop - 12;
  }, []);
  const onScroll = () => {
    const element = room.current;
    if (!element) return;
    const middle = element.scrollTop + element.clientHeight / 2;
    const all = [...element.querySelectorAll<HTMLElement>('[data-sheet]')];
    const at = all.findLastIndex((sheet) => sheet.offsetTop <= middle);
    setCurrent(Math.max(1, at + 1));
  };
  const change = (next: number | null) => {
    setZoom(next);
    // The sheet that was on show stays there once the new sizes are laid out.
    requestAnimationFrame(() => go(current));
  };
  const larger = () => change(steps.find((step) => step > scale + 0.01) ?? scale);
  const smaller = () => change(steps.findLast((step) => step < scale - 0.01) ?? scale);
  const onKey = (event: KeyboardEvent) => {
    const before = () => go(current - 1);
    const after = () => go(current + 1);
    // A sheet that is wider than the room is moved sideways by the arrows.
    const arrows: Record<string, () => void> = (room.current?.scrollWidth ?? 0) > (room.current?.clientWidth ?? 0) ? {} : { ArrowLeft: before, ArrowRight: after };
    const keys: Record<string, () => void> = { ...arrows, '+': larger, '=': larger, '-': smaller, '0': () => change(null), n: after, p: before };
    const action = keys[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  };

  return (
    <div ref={root} className={css.viewer} data-pages={sheets.length}>
      <div className={css.bar} role="toolbar" aria-label={t('papers.tools')}>
        <strong className="ellipsis">{title}</strong>
        <span className={css.group}>
          <IconButton label={t('papers.before')} disabled={current <= 1} icon={<ChevronLeft {...icon} />} onClick={() => go(current - 1)} />
          <PageField current={current} pages={sheets.length} onGo={go} />
          <IconButton label={t('papers.after')} disabled={current >= sheets.length} icon={<ChevronRight {...icon} />} onClick={() => go(current + 1)} />
        </span>
        <span className={css.group}>
          <IconButton label={t('papers.smaller')} disabled={scale <= (steps[0] ?? 0)} icon={<ZoomOut {...icon} />} onClick={smaller} />
          <output className={css.zoom} aria-label={t('papers.zoom')}>{`${Math.round(scale * 100)}%`}</output>
          <IconButton label={t('papers.larger')} disabled={scale >= (steps.at(-1) ?? 4)} icon={<ZoomIn {...icon} />} onClick={larger} />
          <IconButton label={t('papers.fit')} aria-pressed={zoom === null} icon={<MoveHorizontal {...icon} />} onClick={() => change(null)} />
        </span>
        <span className={css.group}>
          <IconButton label={t('papers.save')} icon={<Download {...icon} />} onClick={() => saveFile(`${title}.pdf`, file)} />
          {full.possible && <IconButton label={t(full.on ? 'papers.leaveFull' : 'papers.full')} icon={full.on ? <Minimize {...icon} /> : <Maximize {...icon} />} onClick={full.toggle} />}
        </span>
      </div>
      {/* The sheets take keys like any reader of documents. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex */}
      <div ref={room} className={css.room} tabIndex={0} role="document" aria-label={t('papers.document', { count: sheets.length, title, pages: sheets.length })} onScroll={onScroll} onKeyDown={onKey}>
        {fit > 0 && sheets.map((sheet, at) => <SheetView key={at} sheet={sheet} number={at + 1} of={sheets.length} scale={scale} room={room} tools={tools} />)}
      </div>
    </div>
  );
}
