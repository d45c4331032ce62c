// The SQL functions, as the engine documents them: those that a text names, or all of them with a filter.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '@/api/error';
import { request } from '@/api/request';
import { useLanguage, type Language } from '@/i18n';
import { loadSentences } from '@/i18n/sentences';
import type { Texts } from '@/i18n/texts';
import type { Catalogue, CatalogueFunction } from '@/query-kinds/catalogue';
import { Field } from '@/ui/field';
import { useKeepPlace } from '@/ui/keep-place';
import { Failed, Skeleton, Tag } from '@/ui/parts';
import { Code } from './code';
import type { LiveProps } from './blocks';
import css from './functions.module.css';

/** The list of all functions starts with so many. */
const firstShown = 40;

async function load(language: Language, signal: AbortSignal): Promise<readonly CatalogueFunction[]> {
  const [{ functions }, say] = await Promise.all([request<Catalogue>('GET', '/api/engine/catalogue', { signal, quiet: true }), loadSentences(language)]);
  // Words that the engine's own documentation stresses.
  return functions.map((one) => ({ ...one, doc: say(one.doc).replace(/(^|\s)_(\w+)_(?=\W|$)/g, '$1$2') }));
}

/** `live functions` with names on its lines, or with `all`. */
export function Functions({ args, text }: LiveProps) {
  const language = useLanguage();
  const { data, error, refetch } = useQuery({ queryKey: ['docs', 'functions', language], queryFn: ({ signal }) => load(language, signal), staleTime: 300_000 });
  if (error && !data) return <Failed message={messageOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height="3rem" width="100%" />;
  if (args[0] === 'all') return <All functions={data} />;
  const names = text.split(/\s+/).filter((name) => name !== '');
  return <List functions={names.flatMap((name) => data.find((one) => one.name === name) ?? [])} />;
}

function All({ functions }: { functions: readonly CatalogueFunction[] }) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState('');
  const [all, setAll] = useState(false);
  const word = wanted.trim().toLowerCase();
  const found = functions.filter((one) => one.name.includes(word) || one.doc.toLowerCase().includes(word));
  const shown = all || word !== '' ? found : found.slice(0, firstShown);
  return (
    <>
      <div className={css.filter}>
        <Field label={t('docs.filterFunctions')} type="search" value={wanted} onChange={(event) => setWanted(event.target.value)} hint={t('docs.functionsFound', { count: found.length })} />
      </div>
      <List functions={shown} />
      {shown.length < found.length ? (
        <ShowAll count={found.length} onAll={() => setAll(true)} />
      ) : null}
    </>
  );
}

/** It goes when all are there: by keys one goes on in the list. */
function ShowAll({ count, onAll }: { count: number; onAll: () => void }) {
  const { t } = useTranslation();
  const place = useKeepPlace<HTMLButtonElement>();
  return (
    <button ref={place} type="button" className={css.more} onClick={onAll}>
      {t('docs.showAllFunctions', { count })}
    </button>
  );
}

function List({ functions }: { functions: readonly CatalogueFunction[] }) {
  const { t } = useTranslation();
  return (
    <ul className={css.list}>
      {functions.map((one) => (
        <li key={`${one.name} ${one.kind}`}>
          <details>
            <summary>
              <code>{one.signature}</code>
              {one.kind === 'scalar' ? null : <Tag>{t(`docs.functionKind.${one.kind as keyof Texts['docs']['functionKind']}`)}</Tag>}
              <span>{one.doc}</span>
            </summary>
            {one.example === '' ? <p className={css.none}>{t('docs.noExample')}</p> : <Example text={one.example} />}
          </details>
        </li>
      ))}
    </ul>
  );
}

/** Our functions have a plain query as their example; those of DataFusion a session with its answer. */
function Example({ text }: { text: string }) {
  const session = text.replace(/^```sql\n|\n?```$/g, '').trim();
  const runs = /^(select|with|values)\b/i.test(session);
  return <Code language="sql" text={session} run={runs} />;
}
