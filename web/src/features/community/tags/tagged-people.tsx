// People who gave themselves a tag.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '@/api/call';
import type { Paging } from '@/lib/paging';
import { creatorOf } from '@/lib/paths';
import { Avatar } from '@/ui/avatar';
import { Age } from '@/ui/creation-row';
import { Empty } from '@/ui/parts';
import { LoadedList } from '../parts/loaded-list';
import css from '../parts/rows.module.css';

interface TaggedPeopleProps {
  tag: string;
  paging: Paging;
  onPage: (paging: Paging) => void;
}

export function TaggedPeople({ tag, paging, onPage }: TaggedPeopleProps) {
  const { t } = useTranslation();
  const { page, size } = paging;
  const query = useQuery({
    queryKey: ['tags', 'people', tag, page, size],
    queryFn: ({ signal }) => call('get', '/api/tag/list', { query: { entity: 'user', tag, page, size }, signal, quiet: true }),
    placeholderData: keepPreviousData,
  });
  return (
    <LoadedList
      label={t('community.tabs.creators')}
      query={query}
      row={({ entityId, updateTime }) => (
        <li className={css.row}>
          <div className={css.who}>
            <Avatar name={entityId} />
            <h3 className={css.name}>
              <Link to={creatorOf(entityId)}>{entityId}</Link>
            </h3>
          </div>
          <Age ms={updateTime} />
        </li>
      )}
      nothing={() => <Empty title={t('community.empty.creators')} />}
      paging={paging}
      onPage={onPage}
    />
  );
}
