// One's own dashboards: the newest first, with what can be done with each.
import { useQueryClient } from '@tanstack/react-query';
import { Input } from 'antd';
import { LayoutDashboard, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { messageOf } from '@/api/error';
import { usePage } from '@/lib/page';
import { cardSize, readPaging, writePaging, type Paging } from '@/lib/paging';
import { dashboardOf, editDashboard, embedPath, newDashboard, previewDashboard } from '@/lib/paths';
import { ButtonLink } from '@/ui/button';
import { CreationRow, rows, WaitingRows } from '@/ui/creation-row';
import { deleteLater, useDoomed } from '@/ui/deletions';
import { useInPage } from '@/ui/in-page';
import { Pages } from '@/ui/pages';
import { Beyond, Empty, Failed } from '@/ui/parts';
import { useSearchText } from '@/ui/search-text';
import { ShareDialog } from '@/ui/share';
import { Thumbnail } from '@/viz/thumbnail';
import { useMyDashboards, type Card } from '../api';
import css from './mine.module.css';

const longestSearch = 200;

export function Mine() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  usePage(t('dashboards.mine.title'));
  const client = useQueryClient();
  const [params, setParams] = useInPage();
  const search = params.get('search') ?? '';
  const paging = readPaging(params, cardSize);
  const { data, error, refetch, isPlaceholderData } = useMyDashboards(search, paging);
  const doomed = useDoomed();
  const [sharing, setSharing] = useState<Card | null>(null);
  const refresh = () => void client.invalidateQueries({ queryKey: ['my dashboards'] });
  const place = (words: string, next: Paging) => ({ ...(words === '' ? {} : { search: words }), ...writePaging(next, cardSize) });
  const turn = (next: Paging) => setParams(place(search, next));
  // A search that is being typed is one step of the history.
  const { text, type, send } = useSearchText(search, (words) => setParams(place(words, { ...paging, page: 1 }), { replace: true }));
  const items = data?.items.filter((card) => !doomed.has(card.id)) ?? [];
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{t('dashboards.mine.title')}</h1>
        <Input.Search className={css.search} aria-label={t('dashboards.mine.search')} placeholder={t('dashboards.mine.search')} allowClear maxLength={longestSearch} value={text} onChange={({ target }) => type(target.value)} onSearch={send} />
        <ButtonLink kind="primary" to={newDashboard} icon={<Plus size={16} strokeWidth={1.8} />}>
          {t('dashboards.mine.new')}
        </ButtonLink>
      </header>
      {error && !data ? (
        <Failed message={messageOf(error)} onRetry={() => void refetch()} />
      ) : !data ? (
        <div className={css.list} role="status" aria-label={t('common.loading')}>
          <ul className={rows}>
            <WaitingRows count={6} />
          </ul>
        </div>
      ) : items.length === 0 && paging.page > 1 ? (
        <div className={css.list}>
          <Beyond onFirst={() => turn({ ...paging, page: 1 })} />
        </div>
      ) : items.length === 0 ? (
        <div className={css.list}>
          <Empty
            title={t(search === '' ? 'dashboards.mine.none' : 'dashboards.mine.noneFound')}
            actions={
              <ButtonLink kind="primary" to={newDashboard}>
                {t('dashboards.mine.new')}
              </ButtonLink>
            }
          >
            {search === '' ? t('dashboards.mine.noneHint') : undefined}
          </Empty>
        </div>
      ) : (
        <div className={css.list} data-old={isPlaceholderData}>
          <h2 className="visually-hidden">{t('dashboards.mine.title')}</h2>
          <ul className={rows}>
            {items.map((card) => (
              <CreationRow
                key={card.id}
                own
                card={card}
                preview={card.items ? <Thumbnail visualizationId={card.previewId} dashboardId={card.id}><LayoutDashboard size={22} strokeWidth={1.4} /></Thumbnail> : <LayoutDashboard size={22} strokeWidth={1.4} />}
                menu={[
                  { key: 'edit', label: t('dashboards.edit.open'), onSelect: () => void navigate(editDashboard(card.id)) },
                  { key: 'preview', label: t('dashboards.edit.preview'), onSelect: () => void navigate(previewDashboard(card.id)) },
                  { key: 'share', label: t('common.share'), onSelect: () => setSharing(card) },
                  { key: 'delete', label: t('dashboards.mine.delete'), apart: true, onSelect: () => deleteLater(client, card, t('dashboards.mine.deleted', { title: card.title }), 'my dashboards') },
                ]}
              />
            ))}
          </ul>
        </div>
      )}
      <Pages paging={paging} total={data?.total ?? 0} onChange={turn} />
      {sharing ? (
        <ShareDialog
          of={{ id: sharing.id, title: sharing.title, visibility: sharing.visibility, editable: true }}
          path={(share) => dashboardOf(sharing.id, share)}
          embed={(share) => embedPath(sharing.id, share)}
          onChange={(visibility) => {
            setSharing({ ...sharing, visibility });
            refresh();
          }}
          onClose={() => setSharing(null)}
        />
      ) : null}
    </div>
  );
}
