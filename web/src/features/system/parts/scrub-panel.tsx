// Damage on disk: how far the lake's files were read again, which are damaged and what repairs them, and the check of the databases.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/call';
import { useFailures } from '@/i18n/failures';
import { blockName, bytes, count } from '@/lib/format';
import { formatTime } from '@/lib/time';
import { Card, Tag, type Tone } from '@/ui/parts';
import { Moment } from '../kit/cells';
import { DataTable } from '../kit/data-table';
import css from '../kit/kit.module.css';

type Scrub = Schemas['ScrubView'];
type Pass = Schemas['ScrubPassView'];
type Databases = Schemas['DatabaseCheck'];

/** Both are undefined until the server has answered; `databases` is null before the first check. `node`: there is one to repair from. */
export function ScrubPanel({ scrub, databases, node }: { scrub: Scrub | undefined; databases: Databases | null | undefined; node: boolean }) {
  const { t } = useTranslation();
  const tell = useFailures();
  const pass = (read: Pass): string => t('system.scrub.read', { count: read.files, files: count(read.files), size: bytes(read.bytes), damaged: count(read.damaged) });
  const found = (trouble: string | null | undefined): string => (typeof trouble === 'string' ? tell({ message: trouble }) : t('system.scrub.sound'));
  const facts: [string, string][] = [
    ...(scrub?.current ? [[t('system.scrub.current'), `${t('system.scrub.since', { time: formatTime(scrub.current.started) })}  ${pass(scrub.current)}`] as [string, string]] : []),
    [t('system.scrub.last'), scrub?.last ? `${formatTime(scrub.last.ended ?? scrub.last.started)} UTC  ${pass(scrub.last)}` : t('system.scrub.never')],
    [t('system.scrub.database'), databases ? `${formatTime(databases.at)} UTC  ${found(databases.database)}` : t('system.scrub.unchecked')],
    [t('system.scrub.catalogue'), databases ? `${formatTime(databases.at)} UTC  ${found(databases.catalogue)}` : t('system.scrub.unchecked')],
  ];
  const state = stateOf(scrub, databases);
  return (
    <Card
      className={`${css.follow} ${scrub === undefined ? css.unknown : ''}`}
      title={
        <>
          {t('system.scrub.title')} <Tag tone={tones[state]}>{t(`system.scrub.states.${state}`)}</Tag>
        </>
      }
    >
      <dl className={css.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {scrub && scrub.damaged.length > 0 && (
        <>
          <p className={css.panelText}>{t(node ? 'system.scrub.repairNote' : 'system.scrub.sampleNote')}</p>
          <DataTable
            label={t('system.scrub.damaged')}
            rows={scrub.damaged}
            rowKey={(file) => file.path}
            columns={[
              { key: 'file', head: t('system.scrub.file'), main: true, cell: (file) => <code>{file.path}</code> },
              { key: 'blocks', head: t('system.data.blocks'), text: (file) => `${blockName(file.blocks.from)} – ${blockName(file.blocks.to)}` },
              { key: 'detail', head: t('system.audit.detail'), text: (file) => tell({ message: file.detail }) },
              { key: 'time', head: t('system.kit.utc', { head: t('system.kit.time') }), cell: (file) => <Moment ms={file.time} /> },
              ...(node ? [{ key: 'repair', head: t('system.scrub.repair'), cell: (file: Schemas['DamagedFileView']) => <code>{repair(file)}</code> }] : []),
            ]}
          />
        </>
      )}
    </Card>
  );
}

const repair = ({ blocks }: Schemas['DamagedFileView']): string => `quarry ingest --overwrite --from ${blocks.from} --to ${blocks.to}`;

type State = 'unknown' | 'sound' | 'damaged';
const tones: Record<State, Tone> = { unknown: 'plain', sound: 'ok', damaged: 'bad' };

function stateOf(scrub: Scrub | undefined, databases: Databases | null | undefined): State {
  if ((scrub?.damaged.length ?? 0) > 0 || databases?.database || databases?.catalogue) return 'damaged';
  return scrub?.last || databases ? 'sound' : 'unknown';
}
