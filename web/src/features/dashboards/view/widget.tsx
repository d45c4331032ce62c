// One widget of a board: its title, its buttons, and what it shows.
import { Ellipsis, Maximize, Minimize } from 'lucide-react';
import { useRef, useState, type ReactNode, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useTitles } from '@/i18n/titles';
import { useTimeTexts } from '@/i18n/time';
import { useFullScreen } from '@/lib/full-screen';
import { useNow } from '@/lib/now';
import { savedQuery } from '@/lib/paths';
import { formatTime } from '@/lib/time';
import { IconButton } from '@/ui/button';
import { Menu, type MenuItem } from '@/ui/menu';
import { Part } from '@/ui/part';
import { Empty } from '@/ui/parts';
import { Markdown } from '@/ui/prose';
import type { FigureActions, FigureFormat } from '@/viz/frame';
import { useFigureActions } from '@/viz/use-figure-actions';
import type { Widget, WidgetShows } from '../api';
import { DataBody, type DataParts } from './data-body';
import { GraphBody } from './graph-body';
import { ModelBody } from './model-body';
import { Note } from './note';
import { RichText } from './rich-text';
import css from './board.module.css';

const icon = { size: 16, strokeWidth: 1.6 } as const;

export interface WidgetProps extends DataParts {
  widget: Widget;
  show: WidgetShows | undefined;
  /** The input of a filter, for widgets that are one. */
  filter: (name: string) => ReactNode;
  /** Buttons of the editor in place of the reader's. */
  tools?: ReactNode;
  /** Stands where the content would, while it is written. */
  instead?: ReactNode;
  /** No links and menus that lead away: a frame on another site. */
  bare?: boolean;
}

export type WidgetKind = 'text' | 'counter' | 'table' | 'chart' | 'filter';

export function kindOf(widget: Widget, show: WidgetShows | undefined): WidgetKind {
  const { type } = widget.content;
  if (type === 'filter') return 'filter';
  if (type === 'counter' || show?.visualization?.type === 'counter') return 'counter';
  if (type === 'text' || type === 'markdown' || type === 'richText') return 'text';
  return show?.visualization?.type === 'table' ? 'table' : 'chart';
}

export function WidgetCard({ widget, show, filter, tools, instead, bare = false, ...data }: WidgetProps) {
  const { t } = useTranslation();
  const card = useRef<HTMLElement>(null);
  const actions = useFigureActions();
  const full = useFullScreen(card);
  const [asTable, setAsTable] = useState(false);
  const title = useWidgetTitle(widget, show);
  const kind = kindOf(widget, show);
  const drawn = kind === 'chart' && show?.visualization !== undefined && show.visualization !== null;
  const titled = (widget.showTitle ?? true) && title !== '';
  /** Of these there is more to do than to read them. */
  const headed = kind !== 'text' && kind !== 'filter' && widget.content.type !== 'model';
  const finished = widget.showTime ? show?.shown?.finishTime : undefined;
  return (
    <article ref={card} className={css.widget} aria-label={title === '' ? t(`dashboards.kinds.${widget.content.type}`) : title} data-widget={widget.id}>
      {titled || tools !== undefined || headed ? (
        <header className={css.head} data-over={kind === 'text' && !titled && instead === undefined}>
          {titled ? <h2 className="ellipsis">{title}</h2> : null}
          <span className={`${css.time} ellipsis`}>{finished ? <Age time={finished} /> : null}</span>
          <div className={css.tools} data-export="no">
            {tools ?? (
              <>
                {drawn && full.possible ? <IconButton size="small" label={t(full.on ? 'viz.leaveFullScreen' : 'viz.fullScreen')} icon={full.on ? <Minimize {...icon} /> : <Maximize {...icon} />} onClick={full.toggle} /> : null}
                <WidgetMenu drawn={drawn} asTable={asTable} queryId={bare ? null : (show?.queryId ?? null)} formats={actions.formats} onSave={actions.save} title={title} onTable={() => setAsTable(!asTable)} />
              </>
            )}
          </div>
        </header>
      ) : null}
      <Part of={[widget, show, instead === undefined]}>
        {instead === undefined ? <Body {...data} widget={widget} show={show} filter={filter} bare={bare} title={title} asTable={asTable} actions={actions.ref} titled={titled} edited={tools !== undefined} /> : <div className={css.body}>{instead}</div>}
      </Part>
    </article>
  );
}

/** What a widget is called: by itself, else as what it shows. */
export function useWidgetTitle(widget: Widget, show: WidgetShows | undefined): string {
  const titleOf = useTitles();
  if (widget.title) return widget.title;
  return show ? titleOf(show) : '';
}

function Age({ time }: { time: number }) {
  const { t } = useTranslation();
  const { ago } = useTimeTexts();
  const now = useNow(30_000);
  return <time title={t('shell.blockTime', { time: formatTime(time) })}>{ago(time, now) ?? t('shell.blockTime', { time: formatTime(time) })}</time>;
}

interface MenuProps {
  drawn: boolean;
  asTable: boolean;
  queryId: string | null;
  title: string;
  /** What can be saved of what is drawn now. */
  formats: readonly FigureFormat[];
  onSave: (format: FigureFormat) => void;
  onTable: () => void;
}

function WidgetMenu({ drawn, asTable, queryId, formats, title, onSave, onTable }: MenuProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const items: MenuItem[] = [];
  if (drawn && formats.length > 0) items.push({ key: 'table', label: t(asTable ? 'viz.showChart' : 'viz.showTable'), onSelect: onTable });
  if (queryId !== null) items.push({ key: 'query', label: t('dashboards.openQuery'), onSelect: () => void navigate(savedQuery(queryId)) });
  for (const [at, format] of formats.entries()) {
    items.push({ key: format, label: t(`viz.saveAs.${format}`), apart: at === 0 && items.length > 0, onSelect: () => onSave(format) });
  }
  if (items.length === 0) return null;
  return (
    <Menu label={t('dashboards.widgetMenu', { title })} className={css.menu} items={items}>
      <Ellipsis {...icon} aria-hidden />
    </Menu>
  );
}

interface BodyProps extends WidgetProps {
  title: string;
  edited: boolean;
  titled: boolean;
  asTable: boolean;
  actions: Ref<FigureActions>;
}

function Body({ widget, show, filter, title, titled, edited, bare = false, ...data }: BodyProps) {
  const { t } = useTranslation();
  const { content } = widget;
  const text = (inner: ReactNode) => (
    <Note label={title === '' ? t('dashboards.kinds.text') : title} titled={titled} flat={widget.layout.h === 1} opens={!edited}>
      {inner}
    </Note>
  );
  switch (content.type) {
    case 'text':
      return text(<p className={css.plain}>{content.text}</p>);
    case 'markdown':
      return text(<Markdown text={content.text} />);
    case 'richText':
      return text(<RichText blocks={content.blocks} />);
    case 'filter':
      return <div className={css.filter}>{filter(content.parameter)}</div>;
    case 'model':
      return <ModelBody name={content.model} bare={bare} />;
    default:
  }
  if (show && !show.visible) {
    return (
      <div className={css.middle}>
        <Empty title={t('dashboards.goneTitle')}>{t('dashboards.gone')}</Empty>
      </div>
    );
  }
  if (content.type === 'graph') return <GraphBody graph={show?.graph ?? null} title={title} asTable={data.asTable} actions={data.actions} />;
  return <DataBody {...data} widget={widget} show={show} title={title} />;
}
