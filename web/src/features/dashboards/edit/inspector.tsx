// The settings of the selected widget: title, data, looks and place.
import { Input, InputNumber, Select, Switch } from 'antd';
import { Copy, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { savedQuery } from '@/lib/paths';
import { Button, ButtonLink } from '@/ui/button';
import { Tag } from '@/ui/parts';
import { vizType } from '@/viz/registry';
import type { ResultTable } from '@/viz/types';
import type { CounterOptions, Parameter, Widget, WidgetShows } from '../api';
import { COLUMNS, SMALLEST, type Place } from '../model/layout';
import css from './panels.module.css';

interface InspectorProps {
  widget: Widget;
  show: WidgetShows | undefined;
  name: string;
  filters: readonly Parameter[];
  /** The parameters of the query behind the widget. */
  parameters: readonly Parameter[];
  /** The rows of a counter's query, for choosing a column. */
  table: ResultTable | undefined;
  onChange: (change: Partial<Widget>, about: string) => void;
  onMove: (place: Place) => void;
  onDouble: () => void;
  onRemove: () => void;
}

export function Inspector({ widget, show, name, filters, parameters, table, onChange, onMove, onDouble, onRemove }: InspectorProps) {
  const { t } = useTranslation();
  const title = useId();
  const { content, layout } = widget;
  const type = show?.visualization?.type;
  return (
    <section className={css.inspector} aria-label={t('dashboards.edit.settings')}>
      <h2>
        <span className="ellipsis">{name}</span>
        <Tag>{type ? t(`viz.type.${type}`) : t(`dashboards.kinds.${content.type}`)}</Tag>
      </h2>
      <div className={css.group}>
        <label htmlFor={title}>{t('dashboards.edit.title')}</label>
        <Input id={title} value={widget.title ?? ''} placeholder={name} maxLength={120} onChange={(event) => onChange({ title: event.target.value || null }, `title of ${widget.id}`)} />
      </div>
      {show?.queryId ? (
        <div className={css.group}>
          <span className={css.label}>{t('dashboards.edit.query')}</span>
          <ButtonLink size="small" to={savedQuery(show.queryId)}>
            {t('dashboards.openQuery')}
          </ButtonLink>
        </div>
      ) : null}
      {content.type === 'counter' && table ? <CounterFields table={table} options={content.options ?? {}} onChange={(options) => onChange({ content: { ...content, options: options as CounterOptions } }, `counter of ${widget.id}`)} /> : null}
      {content.type === 'visualization' && filters.length > 0 ? (
        <Links filters={filters} parameters={parameters} mapped={content.parameters ?? {}} onChange={(mapped) => onChange({ content: { ...content, parameters: mapped } }, `filters of ${widget.id}`)} />
      ) : null}
      <div className={css.group}>
        <Toggle label={t('dashboards.edit.showTitle')} on={widget.showTitle ?? true} onChange={(showTitle) => onChange({ showTitle }, 'look')} />
        {show?.queryId === undefined ? null : <Toggle label={t('dashboards.edit.showTime')} on={widget.showTime ?? false} onChange={(showTime) => onChange({ showTime }, 'look')} />}
      </div>
      <Places layout={layout} onMove={onMove} />
      <div className={css.end}>
        <Button icon={<Copy size={16} strokeWidth={1.6} />} onClick={onDouble}>
          {t('dashboards.edit.double')}
        </Button>
        <Button kind="danger" icon={<Trash2 size={16} strokeWidth={1.6} />} onClick={onRemove}>
          {t('dashboards.edit.remove')}
        </Button>
      </div>
    </section>
  );
}

export function Toggle({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) {
  const id = useId();
  return (
    <div className={css.toggle}>
      <label htmlFor={id}>{label}</label>
      <Switch id={id} size="small" checked={on} onChange={onChange} />
    </div>
  );
}

/** The place in numbers: the way of who neither drags nor uses the arrow keys. */
function Places({ layout, onMove }: { layout: Place; onMove: (place: Place) => void }) {
  const { t } = useTranslation();
  const id = useId();
  const fields = [
    { key: 'x', label: 'X', shown: layout.x + 1, min: 1, max: COLUMNS - layout.w + 1 },
    { key: 'y', label: 'Y', shown: layout.y + 1, min: 1, max: 1000 },
    { key: 'w', label: 'W', shown: layout.w, min: SMALLEST.w, max: COLUMNS - layout.x },
    { key: 'h', label: 'H', shown: layout.h, min: SMALLEST.h, max: 100 },
  ] as const;
  return (
    <fieldset className={css.group}>
      <legend>{t('dashboards.edit.position')}</legend>
      <div className={css.places}>
        {fields.map(({ key, label, shown, min, max }) => (
          <div key={key}>
            <label htmlFor={`${id}${key}`}>{label}</label>
            <InputNumber
              id={`${id}${key}`}
              size="small"
              style={{ width: '100%' }}
              min={min}
              max={max}
              precision={0}
              controls={false}
              value={shown}
              onChange={(value) => {
                if (value === null) return;
                onMove({ ...layout, [key]: key === 'x' || key === 'y' ? value - 1 : value });
              }}
            />
          </div>
        ))}
      </div>
    </fieldset>
  );
}

interface LinksProps {
  filters: readonly Parameter[];
  parameters: readonly Parameter[];
  mapped: Readonly<Record<string, string>>;
  onChange: (mapped: Record<string, string>) => void;
}

/** Which parameter of the query takes which filter; by itself the one of the same name. */
function Links({ filters, parameters, mapped, onChange }: LinksProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <fieldset className={css.group}>
      <legend>{t('dashboards.edit.links')}</legend>
      {parameters.length === 0 ? <p className={css.hint}>{t('dashboards.edit.noParameters')}</p> : null}
      {parameters.length === 0
        ? null
        : filters.map((filter, at) => (
            <div key={filter.name} className={css.toggle}>
              <label htmlFor={`${id}${at}`}>{filter.title || filter.name}</label>
              <Select
                id={`${id}${at}`}
                size="small"
                style={{ minWidth: '55%' }}
                value={mapped[filter.name] ?? (parameters.some(({ name }) => name === filter.name) ? filter.name : '')}
                options={[{ value: '', label: t('dashboards.edit.notLinked') }, ...parameters.map(({ name }) => ({ value: name, label: name }))]}
                onChange={(name: string) => onChange({ ...mapped, [filter.name]: name })}
              />
            </div>
          ))}
    </fieldset>
  );
}

function CounterFields({ table, options, onChange }: { table: ResultTable; options: object; onChange: (options: object) => void }) {
  const { Editor } = vizType('counter');
  return <Editor table={table} stored={options} onChange={onChange} />;
}
