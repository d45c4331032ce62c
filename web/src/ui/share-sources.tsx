// What the person who publishes something has to know: its results were computed from tables of others, who can take them back.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { messageOf } from '@/api/error';
import { Failed } from './parts';
import css from './share.module.css';

export function ShareSources({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ['share sources', id],
    queryFn: ({ signal }) => call('get', '/api/creation/tables', { query: { id }, signal, quiet: true }),
  });
  if (error) return <Failed message={messageOf(error)} onRetry={() => void refetch()} />;
  if (!data || data.length === 0) return null;
  const tables = data.map(({ schema, table }) => `${schema}.${table}`).join(', ');
  return (
    <p className={css.sources} role="note">
      {t('share.sources', { count: data.length, tables })}
    </p>
  );
}
