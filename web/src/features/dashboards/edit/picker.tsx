// Choosing what a new widget shows: a visualization, a query for a counter, a graph, or a 3D model.
import { useQuery } from '@tanstack/react-query';
import { Hash, Share2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { messageOf } from '@/api/error';
import { loadTexts } from '@/i18n';
import { useTitles } from '@/i18n/titles';
import type { ModelId } from '@/lib/models';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { lazyPart, Part } from '@/ui/part';
import { Empty, Failed, Skeleton } from '@/ui/parts';
import { useRested } from '@/ui/search-text';
import type { Card } from '../api';
import { SearchBox, VisualizationList } from './palette';
import css from './panels.module.css';

export type Picked = 'visualization' | 'counter' | 'graph' | 'model';

const ModelList = lazyPart(async () => {
  const [{ ModelList: list }] = await Promise.all([import('./model-list'), loadTexts('models')]);
  return { default: list };
});

interface PickerProps {
  kind: Picked;
  used: ReadonlySet<string>;
  onChoose: (card: Card) => void;
  onModel: (model: ModelId) => void;
  onClose: () => void;
}

export function Picker({ kind, used, onChoose, onModel, onClose }: PickerProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t(`dashboards.edit.choose.${kind}`)} onClose={onClose} actions={<Button onClick={onClose}>{t('common.cancel')}</Button>}>
      <div className={css.picker}>
        {kind === 'visualization' ? <VisualizationList used={used} onChoose={onChoose} /> : null}
        {kind === 'counter' || kind === 'graph' ? <CreationList kind={kind} onChoose={onChoose} /> : null}
        {kind === 'model' ? (
          <Part waiting={<Skeleton height="8em" />}>
            <ModelList onChoose={onModel} />
          </Part>
        ) : null}
      </div>
    </Dialog>
  );
}

const SIZE = 50;

function CreationList({ kind, onChoose }: { kind: 'counter' | 'graph'; onChoose: (card: Card) => void }) {
  const { t } = useTranslation();
  const titleOf = useTitles();
  const [search, setSearch] = useState('');
  const words = useRested(search);
  const of = kind === 'counter' ? 'query' : 'graph';
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['my creations', of, words],
    queryFn: ({ signal }) => call('get', '/api/creation/mine', { query: { kind: of, search: words, page: 1, size: SIZE }, signal, quiet: true }),
    placeholderData: (before) => before,
  });
  const failed = error && !data ? <Failed message={messageOf(error)} onRetry={() => void refetch()} /> : null;
  // Who types keeps the field, whatever becomes of one search.
  if (!data && search === '') return failed ?? <Skeleton height="8em" />;
  if (data?.total === 0 && search === '' && !isPlaceholderData) return <Empty title={t(kind === 'counter' ? 'home.noQuery' : 'dashboards.edit.noGraph')} />;
  const Icon = kind === 'counter' ? Hash : Share2;
  return (
    <>
      <SearchBox label={t('dashboards.edit.search')} value={search} onChange={setSearch} />
      <ul className={css.list}>
        {data?.items.map((card) => (
          <li key={card.id}>
            <button type="button" onClick={() => onChoose(card)}>
              <Icon size={15} strokeWidth={1.6} aria-hidden />
              <span className="ellipsis">{titleOf(card)}</span>
            </button>
          </li>
        ))}
      </ul>
      {failed}
      {data?.items.length === 0 ? <p className={css.nothing}>{t('dashboards.edit.nothingFound')}</p> : null}
    </>
  );
}
