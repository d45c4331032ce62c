/** A drawn chart with what belongs to every chart: its label, its notes, the numbers as a table, saving and full screen. */
import { ChartColumn, Download, Maximize, Minimize, Table2 } from 'lucide-react';
import { useCallback, useContext, useImperativeHandle, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { count } from '@/lib/format';
import { useFullScreen } from '@/lib/full-screen';
import { saveFile } from '@/lib/save-file';
import { Button, IconButton } from '@/ui/button';
import type { ChartHandle, ChartLook, ChartOption, ChartParts } from '@/ui/chart';
import type { FetchRows } from '@/ui/grid-rows';
import { Menu } from '@/ui/menu';
import { lazyPart, Part } from '@/ui/part';
import { Skeleton } from '@/ui/parts';
import { drawnCsv, type DrawnTable } from './drawn';
import { FigureFrame, type FigureFormat } from './frame';
import { written, type Note, type VizId } from './types';
import css from './viz.module.css';

const Chart = lazyPart(() => import('@/ui/chart').then(({ Chart: component }) => ({ default: component })));
const Grid = lazyPart(() => import('@/ui/grid').then(({ Grid: component }) => ({ default: component })));
const FORMATS = { table: ['csv'], space: ['png', 'csv'], flat: ['png', 'svg', 'csv'] } as const;
const icon = { size: 16, strokeWidth: 1.6 } as const;

interface FigureProps {
  kind: VizId;
  title: string;
  option: (look: ChartLook) => ChartOption;
  drawn: DrawnTable;
  notes: readonly Note[];
  parts: ChartParts;
}

export function Figure({ kind, title, option, drawn, notes, parts }: FigureProps) {
  const { t } = useTranslation();
  const frame = useContext(FigureFrame);
  const [tableHere, setAsTable] = useState(false);
  const asTable = frame ? frame.asTable : tableHere;
  const chart = useRef<ChartHandle>(null);
  const figure = useRef<HTMLElement>(null);
  const full = useFullScreen(figure);
  const label = t('viz.chartLabel', { kind: t(`viz.type.${kind}`), title, columns: drawn.columns.map(({ name }) => name).join(', '), rows: count(drawn.rows.length), count: drawn.rows.length });

  const save = async (format: FigureFormat) => {
    if (format === 'csv') saveFile(`${title}.csv`, new Blob([drawnCsv(drawn)], { type: 'text/csv;charset=utf-8' }));
    else if (format === 'svg') {
      const text = await chart.current?.svg();
      if (text) saveFile(`${title}.svg`, new Blob([text], { type: 'image/svg+xml' }));
    } else {
      const address = chart.current?.png();
      if (address) saveFile(`${title}.png`, address);
    }
  };
  const formats = FORMATS[asTable ? 'table' : parts === '3d' ? 'space' : 'flat'];
  useImperativeHandle(frame?.ref, () => ({ formats, save: (format) => void save(format) }));

  return (
    <figure className={css.figure} ref={figure}>
      {frame && (frame.quiet || notes.length === 0) ? null : (
        <figcaption className={css.figureBar}>
          <ul className={css.notes}>
            {notes.map(({ code, values }, at) => (
              <li key={at}>{t(`viz.note.${code}`, { ...written(values) })}</li>
            ))}
          </ul>
          {frame ? null : (
            <>
              <Button kind="text" size="small" aria-pressed={asTable} icon={asTable ? <ChartColumn {...icon} /> : <Table2 {...icon} />} title={t(asTable ? 'viz.showChart' : 'viz.showTable')} aria-label={t('viz.showTable')} onClick={() => setAsTable(!asTable)} />
              <SaveMenu formats={formats} onSave={(format) => void save(format)} />
              {full.possible ? <IconButton size="small" label={t(full.on ? 'viz.leaveFullScreen' : 'viz.fullScreen')} icon={full.on ? <Minimize {...icon} /> : <Maximize {...icon} />} onClick={full.toggle} /> : null}
            </>
          )}
        </figcaption>
      )}
      <div className={css.figureBody}>
        <Part of={[option, asTable]} waiting={<Skeleton height="100%" width="100%" />}>
          {asTable ? <NumbersTable drawn={drawn} title={title} /> : <Chart ref={chart} option={option} label={label} parts={parts} />}
        </Part>
      </div>
    </figure>
  );
}

function SaveMenu({ formats, onSave }: { formats: readonly FigureFormat[]; onSave: (format: FigureFormat) => void }) {
  const { t } = useTranslation();
  return (
    <Menu label={t('viz.save')} className={css.menuButton} items={formats.map((format) => ({ key: format, label: t(`viz.saveAs.${format}`), onSelect: () => onSave(format) }))}>
      <Download {...icon} aria-hidden />
    </Menu>
  );
}

/** The numbers behind the chart, exact. */
function NumbersTable({ drawn, title }: { drawn: DrawnTable; title: string }) {
  const { columns, rows } = drawn;
  const fetchRows = useCallback<FetchRows>((offset, limit) => Promise.resolve(rows.slice(offset, offset + limit)), [rows]);
  return <Grid source={`${title} ${columns.map(({ name }) => name).join()} ${rows.length}`} columns={columns.map((column, index) => ({ ...column, index }))} total={rows.length} fetchRows={fetchRows} label={title} />;
}
