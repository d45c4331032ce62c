/** The person's own tables below the catalogue: what each holds, put into the query, uploaded, shared and dropped. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Dropdown, Input, Select, type MenuProps } from 'antd';
import { ChevronRight, Ellipsis, Plus, Share2, Table2, Trash2, UserMinus } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '@/api/error';
import { dropUserTable, shareUserTable, uploadUserTable, type UploadMode, type UserTable } from '@/api/user-tables';
import { bytes, compact, count } from '@/lib/format';
import { Button, IconButton } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Modal } from '@/ui/modal';
import { notify } from '@/ui/notices';
import { useUserTables } from '../api';
import css from './schema-browser.module.css';
import { TakeBackDialog } from './take-back';

interface UserTablesProps {
  quote: (name: string) => string;
  onInsert: (text: string) => void;
}

type Asked = { what: 'drop' | 'share'; table: UserTable } | { what: 'upload' } | null;

export function UserTables({ quote, onInsert }: UserTablesProps) {
  const { t } = useTranslation();
  const { data } = useUserTables();
  const [open, setOpen] = useState(true);
  const [asked, setAsked] = useState<Asked>(null);
  if (!data) return null;
  const close = () => setAsked(null);
  return (
    <section className={css.own} aria-label={t('editors.tables.title')}>
      <div className={css.ownHead}>
        <button type="button" className={css.schema} aria-expanded={open} onClick={() => setOpen(!open)}>
          <ChevronRight size={15} strokeWidth={1.8} aria-hidden />
          <span className="ellipsis">{t('editors.tables.title')}</span>
          <small>{data.tables.length + data.shared.length}</small>
        </button>
        <IconButton size="small" label={t('editors.tables.upload')} icon={<Plus size={15} strokeWidth={1.8} />} onClick={() => setAsked({ what: 'upload' })} />
      </div>
      {open ? (
        <ul>
          {data.tables.map((table) => (
            <TableNode key={table.table} table={table} own quote={quote} onInsert={onInsert} onAsk={setAsked} />
          ))}
          {data.shared.map((table) => (
            <TableNode key={`${table.schema}.${table.table}`} table={table} own={false} quote={quote} onInsert={onInsert} onAsk={setAsked} />
          ))}
          {data.tables.length + data.shared.length === 0 ? <li className={css.nothing}>{t('editors.tables.none')}</li> : null}
          <li className={css.quota}>{t('editors.tables.quota', { used: bytes(data.used), quota: bytes(data.quota) })}</li>
        </ul>
      ) : null}
      {asked?.what === 'upload' ? <UploadDialog onClose={close} /> : null}
      {asked?.what === 'share' ? <ShareDialog table={asked.table} onClose={close} /> : null}
      {asked?.what === 'drop' ? <DropDialog table={asked.table} onClose={close} /> : null}
    </section>
  );
}

function TableNode({ table, own, quote, onInsert, onAsk }: UserTablesProps & { table: UserTable; own: boolean; onAsk: (asked: Asked) => void }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const name = `${quote(table.schema)}.${quote(table.table)}`;
  const items: MenuProps['items'] = [
    { key: 'share', label: t('editors.tables.share'), icon: <Share2 size={15} strokeWidth={1.6} /> },
    { key: 'drop', label: t('editors.tables.drop'), icon: <Trash2 size={15} strokeWidth={1.6} />, danger: true },
  ];
  return (
    <li>
      <div className={css.table} data-open={open}>
        <button type="button" className={css.fold} aria-expanded={open} aria-label={t('queries.schema.expand', { name: table.table })} onClick={() => setOpen(!open)}>
          <ChevronRight size={14} strokeWidth={1.8} aria-hidden />
        </button>
        <button type="button" className={css.name} title={`${t('queries.schema.rows', { count: table.rows, rows: count(table.rows) })}, ${bytes(table.bytes)}`} aria-label={t('queries.schema.insert', { name: table.table })} onClick={() => onInsert(name)}>
          <Table2 size={15} strokeWidth={1.6} aria-hidden />
          <span className="ellipsis">{own ? table.table : `${table.schema}.${table.table}`}</span>
          <small>{compact(table.rows)}</small>
        </button>
        {own ? (
          <Dropdown trigger={['click']} menu={{ items, onClick: ({ key }) => onAsk({ what: key as 'share' | 'drop', table }) }}>
            <button type="button" className={css.fold} aria-label={t('editors.tables.menu', { name: table.table })}>
              <Ellipsis size={14} strokeWidth={1.8} aria-hidden />
            </button>
          </Dropdown>
        ) : null}
      </div>
      {open ? (
        <ul className={css.columns}>
          {table.columns.map((column) => (
            <li key={column.name}>
              <button type="button" className={css.column} aria-label={t('queries.schema.insert', { name: column.name })} onClick={() => onInsert(quote(column.name))}>
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

function DropDialog({ table, onClose }: { table: UserTable; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const drop = () => {
    onClose();
    dropUserTable(table.table).then(
      () => client.invalidateQueries({ queryKey: ['tables'] }),
      (error: unknown) => console.warn('The table was not dropped', error),
    );
  };
  return (
    <TakeBackDialog
      title={t('editors.tables.dropTitle', { name: table.table })}
      text={t('editors.tables.dropText', { count: table.rows, rows: count(table.rows) })}
      action={t('editors.tables.drop')}
      table={table}
      onConfirm={drop}
      onClose={onClose}
    />
  );
}

function ShareDialog({ table, onClose }: { table: UserTable; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const id = useId();
  const [user, setUser] = useState('');
  const [shared, setShared] = useState(table.sharedWith);
  const [leaving, setLeaving] = useState<string | null>(null);
  const sharing = useMutation({
    mutationFn: ({ name, allow }: { name: string; allow: boolean }) => shareUserTable(table.table, name, allow),
    // One after the other: the answer that comes last names all who may read it.
    scope: { id: `share table ${table.table}` },
    onSuccess: (next, { name, allow }) => {
      setShared(next.sharedWith);
      // What is typed meanwhile, and beside a reader who is taken out, stays.
      if (allow) setUser((now) => (now.trim() === name ? '' : now));
      void client.invalidateQueries({ queryKey: ['tables'] });
    },
    onError: (error) => notify.error(messageOf(error)),
  });
  const set = (name: string, allow: boolean) => {
    if (name !== '' && !(allow && sharing.isPending)) sharing.mutate({ name, allow });
  };
  const named = (name: string) => (name === '*' ? t('editors.tables.everybody') : name);
  if (leaving !== null) {
    const back = () => setLeaving(null);
    return (
      <TakeBackDialog
        title={leaving === '*' ? t('editors.tables.unshareTitleAll', { name: table.table }) : t('editors.tables.unshareTitle', { name: table.table, reader: leaving })}
        text={t('editors.tables.unshareText')}
        action={t('editors.tables.stopSharing')}
        table={table}
        reader={leaving}
        onConfirm={() => {
          set(leaving, false);
          back();
        }}
        onClose={back}
      />
    );
  }
  return (
    <Dialog title={t('editors.tables.shareTitle', { name: table.table })} onClose={onClose} actions={<Button onClick={onClose}>{t('common.close')}</Button>}>
      <label htmlFor={id}>{t('editors.tables.shareWith')}</label>
      <div className={css.shareRow}>
        <Input id={id} value={user} maxLength={16} onChange={(event) => setUser(event.target.value)} onPressEnter={() => set(user.trim(), true)} />
        <Button kind="primary" disabled={user.trim() === ''} busy={sharing.isPending && sharing.variables.allow} onClick={() => set(user.trim(), true)}>
          {t('editors.tables.share')}
        </Button>
      </div>
      <ul className={css.people}>
        {shared.map((name) => (
          <li key={name}>
            {named(name)}
            <IconButton size="small" label={t('editors.tables.unshare', { name: named(name) })} icon={<UserMinus size={15} strokeWidth={1.6} />} onClick={() => setLeaving(name)} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

const TABLE_NAME = /^[A-Za-z]\w{0,19}$/;

function UploadDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const id = useId();
  const [file, setFile] = useState<File | null>(null);
  const [table, setTable] = useState('');
  const [mode, setMode] = useState<UploadMode>('create');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const bad = table !== '' && !TABLE_NAME.test(table);
  const take = (next: File | null) => {
    setFile(next);
    if (next && table === '') setTable(next.name.replace(/\.[^.]*$/, '').replace(/\W+/g, '_').replace(/^[^A-Za-z]+/, '').slice(0, 20));
  };
  const send = () => {
    if (!file || bad || table === '') return;
    setBusy(true);
    setProblem(null);
    uploadUserTable(table, mode, file).then(
      (made) => {
        void client.invalidateQueries({ queryKey: ['tables'] });
        notify.success(t('editors.tables.uploaded', { count: made.rows, name: made.table, rows: count(made.rows) }));
        onClose();
      },
      (error: unknown) => {
        setBusy(false);
        setProblem(messageOf(error));
      },
    );
  };
  return (
    <Modal title={t('editors.tables.upload')} okText={t('editors.tables.send')} cancelText={t('common.cancel')} confirmLoading={busy} okButtonProps={{ disabled: !file || bad || table === '' }} onOk={send} onCancel={onClose} width={480}>
      <div className={css.upload}>
        <div>
          <label htmlFor={`${id}-file`}>{t('editors.tables.file')}</label>
          <input id={`${id}-file`} type="file" accept=".csv,.parquet" onChange={(event) => take(event.target.files?.[0] ?? null)} />
        </div>
        <div>
          <label htmlFor={`${id}-table`}>{t('editors.tables.name')}</label>
          <Input id={`${id}-table`} value={table} status={bad ? 'error' : ''} aria-invalid={bad} {...(bad ? { 'aria-describedby': `${id}-below` } : {})} onChange={(event) => setTable(event.target.value)} />
          {bad ? (
            <p id={`${id}-below`} className={css.problem}>
              {t('editors.tables.badName')}
            </p>
          ) : null}
        </div>
        <div>
          <label htmlFor={`${id}-mode`}>{t('editors.tables.mode')}</label>
          <Select<UploadMode> id={`${id}-mode`} aria-label={t('editors.tables.mode')} value={mode} options={(['create', 'replace', 'append'] as const).map((value) => ({ value, label: t(`editors.tables.modes.${value}`) }))} onChange={setMode} />
        </div>
        {problem === null ? null : (
          <p className={css.problem} role="alert">
            {problem}
          </p>
        )}
      </div>
    </Modal>
  );
}
