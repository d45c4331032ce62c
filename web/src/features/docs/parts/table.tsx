// The columns of a table of the lake, as the engine describes them: `data/docs/tables.json` is written by its test.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { messageOf } from '@/api/error';
import { useLanguage } from '@/i18n';
import type { Texts } from '@/i18n/texts';
import { shortHex } from '@/lib/format';
import { Failed, Skeleton } from '@/ui/parts';
import { loadTables } from '../tables';
import type { LiveProps } from './blocks';
import docs from '../docs.module.css';
import css from './table.module.css';

type Unit = keyof Texts['docs']['unit'];

/** `live table SCHEMA.TABLE` */
export function TableColumns({ args: [name = ''] }: LiveProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { data, error, refetch } = useQuery({ queryKey: ['docs', 'tables', language], queryFn: () => loadTables(language), staleTime: Infinity, retry: false });
  if (error && !data) return <Failed message={messageOf(error)} onRetry={() => void refetch()} />;
  const table = data?.[name];
  if (!table) return <Skeleton height="4rem" width="100%" />;
  return (
    <>
      <p className={css.tableDoc}>
        <code>{name}</code>
        <span>{table.doc}</span>
      </p>
      {/* It scrolls, so the keyboard has to be able to reach it. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={docs.scrolls} tabIndex={0} role="region" aria-label={t('docs.columnsOf', { name })}>
        <table className={css.columns}>
          <thead>
            <tr>
              <th scope="col">{t('docs.column')}</th>
              <th scope="col">{t('docs.type')}</th>
              <th scope="col">{t('docs.unitOf')}</th>
              <th scope="col">{t('docs.meaning')}</th>
              <th scope="col">{t('docs.example')}</th>
            </tr>
          </thead>
          <tbody>
            {table.columns.map((column) => (
              <tr key={column.name}>
                <td>
                  <code>{column.name}</code>
                </td>
                <td>
                  {column.type}
                  {column.nullable ? <abbr title={t('docs.nullable')}>?</abbr> : null}
                </td>
                <td>{column.unit === '' ? null : t(`docs.unit.${column.unit as Unit}`)}</td>
                <td>{column.doc}</td>
                <td className={css.value} title={column.example}>
                  {/^0x[0-9a-f]{20,}/.test(column.example) ? shortHex(column.example) : column.example}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {table.synonyms.length > 0 ? (
        <details className={css.synonyms}>
          <summary>{t('docs.synonyms', { count: table.synonyms.length })}</summary>
          <ul>
            {table.synonyms.map(({ name: other, means }) => (
              <li key={other}>
                <code>{other}</code> = <code>{means}</code>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </>
  );
}
