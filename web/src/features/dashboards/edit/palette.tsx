// What can be put on a dashboard: kinds of widgets, and one's own visualizations.
import { useQuery } from '@tanstack/react-query';
import { Box, ChartColumn, Check, Hash, Pilcrow, Search, Share2, SlidersHorizontal, TextInitial, Type, type LucideIcon } from 'lucide-react';
import { useState, type DragEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { messageOf } from '@/api/error';
import { useTitles } from '@/i18n/titles';
import { paths } from '@/lib/paths';
import { ButtonLink } from '@/ui/button';
import { Empty, Failed, Skeleton } from '@/ui/parts';
import { useRested } from '@/ui/search-text';
import { vizType } from '@/viz/registry';
import { VIZ_TYPES, type VizId } from '@/viz/types';
import type { Card } from '../api';
import { sizes, type Spot } from '../model/document';
import css from './panels.module.css';

export type Addable = 'text' | 'markdown' | 'richText' | 'visualization' | 'counter' | 'graph' | 'model' | 'filter';

const kinds: readonly { kind: Addable; icon: LucideIcon }[] = [
  { kind: 'text', icon: Type },
  { kind: 'markdown', icon: Pilcrow },
  { kind: 'richText', icon: TextInitial },
  { kind: 'visualization', icon: ChartColumn },
  { kind: 'counter', icon: Hash },
  { kind: 'graph', icon: Share2 },
  { kind: 'model', icon: Box },
  { kind: 'filter', icon: SlidersHorizontal },
];

/** What is dragged out of the palette, as large as it will be. */
export interface Carried {
  readonly size: { w: number; h: number };
  /** Null where the board knows no place for it: it goes where there is room. */
  readonly drop: (spot: Spot | null) => void;
}

interface PaletteProps {
  /** Ids of the visualizations that are on the dashboard already. */
  used: ReadonlySet<string>;
  onAdd: (kind: Addable, spot?: Spot | null) => void;
  onVisualization: (card: Card, spot?: Spot | null) => void;
  /** Something is carried to the board; null at its end. */
  onCarry: (carried: Carried | null) => void;
}

export function Palette({ used, onAdd, onVisualization, onCarry }: PaletteProps) {
  const { t } = useTranslation();
  return (
    <div className={css.palette}>
      <h2>{t('dashboards.edit.add')}</h2>
      <ul className={css.kinds}>
        {kinds.map(({ kind, icon: Icon }) => (
          <li key={kind}>
            <button type="button" onClick={() => onAdd(kind)} {...carrying({ size: sizes[kind], drop: (spot) => onAdd(kind, spot) }, onCarry)}>
              <Icon size={16} strokeWidth={1.6} aria-hidden />
              {t(`dashboards.kinds.${kind}`)}
            </button>
          </li>
        ))}
      </ul>
      <h2>{t('dashboards.edit.mine')}</h2>
      <VisualizationList used={used} onChoose={onVisualization} onCarry={(card) => onCarry(card && { size: chartSize(card), drop: (spot) => onVisualization(card, spot) })} />
    </div>
  );
}

/** What makes a button something that can be dragged. */
function carrying<T>(what: T, onCarry: (what: T | null) => void) {
  return {
    draggable: true,
    onDragStart: (event: DragEvent) => {
      // Without data some browsers drag nothing.
      event.dataTransfer.setData('text/plain', '');
      event.dataTransfer.effectAllowed = 'copy';
      onCarry(what);
    },
    onDragEnd: () => onCarry(null),
  };
}

/** How large a chart stands on the board at first. */
export const chartSize = (card: Card) => (card.visualizationType === 'counter' ? sizes.smallChart : sizes.visualization);

const SIZE = 50;

const vizId = (text: string | null | undefined): VizId => VIZ_TYPES.find((type) => type === text) ?? 'table';

interface VisualizationListProps {
  used: ReadonlySet<string>;
  onChoose: (card: Card) => void;
  /** Where they can be dragged to the board. */
  onCarry?: (card: Card | null) => void;
}

/** One's own visualizations; without any, how to make some. */
export function VisualizationList({ used, onChoose, onCarry }: VisualizationListProps) {
  const { t } = useTranslation();
  const titleOf = useTitles();
  const [search, setSearch] = useState('');
  const words = useRested(search);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['my visualizations', words],
    queryFn: ({ signal }) => call('get', '/api/visualization/list', { query: { search: words, page: 1, size: SIZE }, signal, quiet: true }),
    placeholderData: (before) => before,
  });
  const failed = error && !data ? <Failed message={messageOf(error)} onRetry={() => void refetch()} /> : null;
  // Who types keeps the field, whatever becomes of one search.
  if (!data && search === '') return failed ?? <Skeleton height="8em" />;
  if (data?.total === 0 && search === '' && !isPlaceholderData) {
    return (
      <Empty
        icon={<ChartColumn size={24} strokeWidth={1.4} aria-hidden />}
        title={t('dashboards.edit.noVisualization')}
        actions={
          <ButtonLink size="small" kind="primary" to={paths.query}>
            {t('shell.create.query')}
          </ButtonLink>
        }
      />
    );
  }
  return (
    <>
      <SearchBox label={data ? t('dashboards.edit.searchCharts', { count: data.total }) : t('dashboards.edit.search')} value={search} onChange={setSearch} />
      <ul className={css.list}>
        {data?.items.map((card) => {
          const Icon = vizType(vizId(card.visualizationType)).icon;
          return (
            <li key={card.id}>
              <button type="button" title={titleOf(card)} onClick={() => onChoose(card)} {...(onCarry ? carrying(card, onCarry) : {})}>
                <Icon size={15} strokeWidth={1.6} aria-hidden />
                <span className="ellipsis">{titleOf(card)}</span>
                {used.has(card.id) ? <Check size={14} strokeWidth={1.8} aria-label={t('dashboards.edit.used')} /> : null}
              </button>
            </li>
          );
        })}
      </ul>
      {failed}
      {data?.items.length === 0 ? <p className={css.nothing}>{t('dashboards.edit.nothingFound')}</p> : null}
      {data && data.total > data.items.length && data.items.length > 0 ? <p className={css.nothing}>{t('dashboards.edit.searchMore', { count: data.total - data.items.length })}</p> : null}
    </>
  );
}

export function SearchBox({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <label className={css.search}>
      <Search size={15} strokeWidth={1.6} aria-hidden />
      <input type="search" aria-label={label} placeholder={label} value={value} onChange={(event) => onChange(event.target.value)} />
    </label>
  );
}
