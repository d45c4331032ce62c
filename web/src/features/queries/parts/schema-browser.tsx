/** Schemas, tables and columns as a tree: searched, unfolded, and inserted into the query by a click. */
import { ChevronRight, Search, Table2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '@/api/error';
import { compact, count } from '@/lib/format';
import { EMPTY_CATALOGUE, SEARCH_PATH, type Catalogue, type CatalogueSchema, type CatalogueTable } from '@/query-kinds/catalogue';
import { useCatalogue } from '@/query-kinds/use-catalogue';
import { Failed, Skeleton } from '@/ui/parts';
import { UserTables } from './user-tables';
import css from './schema-browser.module.css';

interface SchemaBrowserProps {
  quote: (name: string) => string;
  /** What is listed in place of tables; its names stand by themselves. */
  instead?: readonly CatalogueSchema[] | undefined;
  onInsert: (text: string) => void;
}

/** What is left of the catalogue when only names that hold the words are wanted. */
export function filterCatalogue(catalogue: Catalogue, search: string): { schemas: CatalogueSchema[]; found: number; all: number } {
  const word = search.trim().toLowerCase();
  const all = catalogue.schemas.flatMap((schema) => schema.tables).length;
  const schemas = catalogue.schemas
    .map((schema) => ({
      ...schema,
      tables: schema.tables.flatMap((table) => {
        if (table.name.toLowerCase().includes(word)) return [table];
        const columns = table.columns.filter((column) => column.name.toLowerCase().includes(word));
        return columns.length > 0 ? [{ ...table, columns }] : [];
      }),
    }))
    .filter((schema) => schema.tables.length > 0 || word === '');
  return { schemas, found: schemas.flatMap((schema) => schema.tables).length, all };
}

export function SchemaBrowser({ quote, instead, onInsert }: SchemaBrowserProps) {
  const { t } = useTranslation();
  const catalogue = useCatalogue();
  const [search, setSearch] = useState('');
  const shown = useMemo(() => {
    const listed = instead ? { ...EMPTY_CATALOGUE, schemas: instead } : catalogue.data;
    return listed ? filterCatalogue(listed, search) : null;
  }, [instead, catalogue.data, search]);

  return (
    <nav className={css.browser} aria-label={t('queries.schema.title')}>
      <div className={css.search}>
        <Search size={16} strokeWidth={1.6} aria-hidden />
        <input id="schema-search" type="search" value={search} placeholder={t('queries.schema.search')} aria-label={t('queries.schema.search')} onChange={(event) => setSearch(event.target.value)} />
        {shown && search.trim() !== '' ? <span aria-live="polite">{t('queries.schema.found', { found: shown.found, all: shown.all })}</span> : null}
      </div>
      <div className={css.tree}>
        {!instead && catalogue.isPending ? Array.from({ length: 9 }, (_, index) => <Skeleton key={index} height="0.7em" width={`${40 + ((index * 37) % 45)}%`} />) : null}
        {!instead && catalogue.isError ? <Failed message={messageOf(catalogue.error)} onRetry={() => void catalogue.refetch()} /> : null}
        {shown?.schemas.map((schema) => <SchemaNode key={schema.name} schema={schema} searching={search.trim() !== ''} quote={quote} instead={instead} onInsert={onInsert} />)}
        {shown?.found === 0 ? <p className={css.nothing}>{t('queries.schema.nothing')}</p> : null}
        {search.trim() === '' && !instead ? <UserTables quote={quote} onInsert={onInsert} /> : null}
      </div>
    </nav>
  );
}

function SchemaNode({ schema, searching, quote, instead, onInsert }: SchemaBrowserProps & { schema: CatalogueSchema; searching: boolean }) {
  const [open, setOpen] = useState(schema.name === SEARCH_PATH || instead !== undefined);
  const shown = open || searching;
  return (
    <section>
      <button type="button" className={css.schema} aria-expanded={shown} onClick={() => setOpen(!open)}>
        <ChevronRight size={15} strokeWidth={1.8} aria-hidden />
        <span className="ellipsis">{schema.name}</span>
        <small>{schema.tables.length}</small>
      </button>
      {shown ? (
        <ul>
          {schema.tables.map((table) => (
            <TableNode key={table.name} schema={schema.name} table={table} searching={searching} quote={quote} instead={instead} onInsert={onInsert} />
          ))}
        </ul>
      ) : null}
    </section>
  );
}

function TableNode({ schema, table, searching, quote, instead, onInsert }: SchemaBrowserProps & { schema: string; table: CatalogueTable; searching: boolean }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<boolean | null>(null);
  const open = opened ?? searching;
  const name = instead ? table.name : schema === SEARCH_PATH ? quote(table.name) : `${quote(schema)}.${quote(table.name)}`;
  return (
    <li>
      <div className={css.table} data-open={open}>
        <button type="button" className={css.fold} aria-expanded={open} aria-label={t('queries.schema.expand', { name: table.name })} onClick={() => setOpened(!open)}>
          <ChevronRight size={14} strokeWidth={1.8} aria-hidden />
        </button>
        <button type="button" className={css.name} title={table.doc} aria-label={t('queries.schema.insert', { name: table.name })} onClick={() => onInsert(name)} onDoubleClick={() => setOpened(true)}>
          <Table2 size={15} strokeWidth={1.6} aria-hidden />
          <span className="ellipsis">{table.name}</span>
          {table.rows === null ? null : <small title={t('queries.schema.rows', { count: table.rows, rows: count(table.rows) })}>{compact(table.rows)}</small>}
        </button>
      </div>
      {open ? (
        <ul className={css.columns}>
          {table.columns.map((column) => (
            <li key={column.name}>
              <button type="button" className={css.column} title={column.doc} aria-label={t('queries.schema.insert', { name: column.name })} onClick={() => onInsert(quote(column.name))}>
                <span className="ellipsis">{column.name}</span>
                <small>{column.type}</small>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  );
}
