// The command palette: go to a page, a query, a dashboard; begin a query with a table or function; do what the shell can do.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { BookOpen, Braces, FileCode2, LayoutDashboard, Search, Table2, Zap, type LucideIcon } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '@/api/call';
import { useLanguage } from '@/i18n';
import { dashboardOf, paths, savedQuery } from '@/lib/paths';
import { queryWithText } from '@/lib/query-link';
import { useSession } from '@/lib/session';
import { toggleTheme, useTheme } from '@/lib/theme';
import { SEARCH_PATH } from '@/query-kinds/catalogue';
import { useCatalogue } from '@/query-kinds/use-catalogue';
import { useReturnFocus } from '@/ui/return-focus';
import { useRested } from '@/ui/search-text';
import { changeLanguage } from '@/ui/settings';
import { useShowModal } from '@/ui/top-dialog';
import { creates, nav } from './nav';
import { findItems, type Group, type PaletteItem } from './palette-items';
import { useSignOut } from './use-sign-out';
import css from './palette.module.css';

interface PaletteProps {
  onClose: () => void;
  onHelp: () => void;
  onSidebar: () => void;
}

const ICONS: Record<Group, LucideIcon> = { actions: Zap, pages: BookOpen, queries: FileCode2, dashboards: LayoutDashboard, tables: Table2, functions: Braces };
const MOST = 20;

/** The person's own creations of a kind whose name holds the words. */
function useOwn(kind: 'query' | 'dashboard', search: string, signedIn: boolean) {
  return useQuery({
    queryKey: ['creations', kind, 'palette', search],
    queryFn: ({ signal }) => call('get', '/api/creation/mine', { query: { kind, ...(search === '' ? {} : { search }), page: 1, size: MOST }, signal, quiet: true }),
    enabled: signedIn,
    placeholderData: keepPreviousData,
  });
}

export function Palette({ onClose, onHelp, onSidebar }: PaletteProps) {
  useReturnFocus();
  const { t } = useTranslation();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [search, setSearch] = useState('');
  const [at, setAt] = useState(0);
  const items = useItems(useRested(search), { onHelp, onSidebar });
  const found = useMemo(() => findItems(items, search), [items, search]);
  const current = Math.min(at, found.length - 1);

  useShowModal(dialog);
  useEffect(() => {
    document.getElementById(`${id}-${current}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, current]);

  const choose = (item: PaletteItem | undefined) => {
    if (!item) return;
    onClose();
    item.run();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const steps: Partial<Record<string, number>> = { ArrowDown: current + 1, ArrowUp: current - 1, PageDown: Math.min(current + 8, found.length - 1), PageUp: Math.max(current - 8, 0) };
    const step = steps[event.key];
    if (event.key === 'Enter') choose(found[current]);
    else if (step === undefined) return;
    else setAt((step + found.length) % Math.max(1, found.length));
    event.preventDefault();
  };

  return (
    // The click is the mouse's way out beside Escape, which the dialog hears by itself.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={dialog}
      className={css.palette}
      aria-label={t('palette.title')}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className={css.search}>
        <Search size={18} strokeWidth={1.6} aria-hidden />
        <input
          // The palette opens to be written into.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined}
          aria-label={t('palette.search')}
          placeholder={t('palette.search')}
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd>{t('shell.keys.escape')}</kbd>
      </div>
      <div id={`${id}-list`} role="listbox" aria-label={t('palette.title')} className={css.list}>
        {found.map((item, index) => {
          const Icon = ICONS[item.group];
          const heads = item.group !== found[index - 1]?.group;
          return (
            <div key={item.key} role="presentation">
              {heads ? (
                <div className={css.group} role="presentation">
                  {t(`palette.groups.${item.group}`)}
                </div>
              ) : null}
              {/* The keys belong to the field, which says what is chosen. */}
              {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus */}
              <div id={`${id}-${index}`} role="option" aria-selected={index === current} className={css.item} onMouseMove={() => setAt(index)} onClick={() => choose(item)}>
                <Icon size={16} strokeWidth={1.6} aria-hidden />
                <span className="ellipsis">{item.name}</span>
                {item.hint ? <small className="ellipsis">{item.hint}</small> : null}
              </div>
            </div>
          );
        })}
        {found.length === 0 ? <p className={css.none}>{t('palette.none')}</p> : null}
      </div>
      <div className="visually-hidden" role="status">
        {t('palette.found', { count: found.length })}
      </div>
    </dialog>
  );
}

function useItems(search: string, { onHelp, onSidebar }: Pick<PaletteProps, 'onHelp' | 'onSidebar'>): PaletteItem[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const theme = useTheme();
  const language = useLanguage();
  const signedIn = useSession().token !== null;
  const queries = useOwn('query', search, signedIn).data?.items;
  const dashboards = useOwn('dashboard', search, signedIn).data?.items;
  const { data: catalogue } = useCatalogue();
  return useMemo(() => {
    const go = (to: string) => () => void navigate(to);
    const action = (key: string, name: string, run: () => void, hint?: string): PaletteItem => ({ key: `action ${key}`, group: 'actions', name, run, ...(hint === undefined ? {} : { hint }) });
    const other = language === 'zh' ? 'en' : 'zh';
    return [
      ...creates.map((entry) => action(entry.name, t(`shell.create.${entry.name}`), go(entry.to), `n ${entry.key}`)),
      action('theme', t(theme === 'dark' ? 'shell.lightTheme' : 'shell.darkTheme'), toggleTheme),
      action('language', t('shell.switchLanguage'), () => changeLanguage(other)),
      action('sidebar', t('shell.toggleSidebar'), onSidebar, '['),
      action('help', t('shell.shortcuts'), onHelp, '?'),
      ...(signedIn ? [action('exit', t('shell.exit'), signOut)] : [action('login', t('session.logIn'), go(paths.login))]),
      ...nav.map((entry): PaletteItem => ({ key: `page ${entry.to}`, group: 'pages', name: t(`shell.nav.${entry.name}`), run: go(entry.to), ...(entry.key === undefined ? {} : { hint: `g ${entry.key}` }) })),
      ...(queries ?? []).map((one): PaletteItem => ({ key: `query ${one.id}`, group: 'queries', name: one.title, words: one.tags.join(' '), hint: one.queryKind ?? '', run: go(savedQuery(one.id)) })),
      ...(dashboards ?? []).map((one): PaletteItem => ({ key: `dashboard ${one.id}`, group: 'dashboards', name: one.title, words: one.tags.join(' '), run: go(dashboardOf(one.id)) })),
      ...(catalogue?.schemas ?? []).flatMap((schema) =>
        schema.tables.map((table): PaletteItem => {
          const name = schema.name === SEARCH_PATH ? table.name : `${schema.name}.${table.name}`;
          return { key: `table ${name}`, group: 'tables', name, hint: table.doc, run: go(queryWithText('SQL', `select *\nfrom ${name}\nlimit 100\n`)) };
        }),
      ),
      ...(catalogue?.functions ?? []).map((one): PaletteItem => ({ key: `function ${one.name}`, group: 'functions', name: one.name, hint: one.signature, words: one.doc, run: go(queryWithText('SQL', `-- ${one.signature}\n${one.example}\n`)) })),
    ];
  }, [t, navigate, signOut, theme, language, signedIn, queries, dashboards, catalogue, onHelp, onSidebar]);
}
