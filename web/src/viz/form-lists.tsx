/** Fields that hold lists: how each series looks, and lines of reference. */
import { Input, Select } from 'antd';
import { Plus, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '@/ui/button';
import { lookOf, PALETTE, type ReferenceLine, type SeriesLook } from './looks';
import { placeAt } from './tooltip';
import css from './viz.module.css';

const icon = { size: 16, strokeWidth: 1.6 } as const;
const MOST_SERIES = 12;
const MOST_LINES = 5;

interface SeriesLooksProps {
  names: readonly string[];
  looks: readonly SeriesLook[];
  /** The chart has a second value axis. */
  right: boolean;
  onChange: (looks: SeriesLook[]) => void;
}

/** Title, colour and axis of each series. */
export function SeriesLooks({ names, looks, right, onChange }: SeriesLooksProps) {
  const { t } = useTranslation();
  const shown = names.filter((name) => name !== '').slice(0, MOST_SERIES);
  if (shown.length === 0) return null;
  const change = (name: string, next: Partial<SeriesLook>) => onChange([...looks.filter((look) => look.name !== name), { ...lookOf(looks, name), ...next }]);
  return (
    <div className={css.wide}>
      <h3 className={css.section}>{t('viz.section.series')}</h3>
      <ul className={css.columns}>
        {shown.map((name, index) => {
          const look = lookOf(looks, name);
          return (
            <li key={name} className={css.column}>
              <Select
                size="small"
                className={css.swatchChoice}
                aria-label={t('viz.colourOf', { series: name })}
                value={look.colour}
                popupMatchSelectWidth={false}
                options={[{ value: 0, label: <Swatch place={placeAt(index) + 1} text={t('viz.choice.automatic')} /> }, ...PALETTE.map((colour, place) => ({ value: place + 1, label: <Swatch place={place + 1} text={t(`viz.colour.${colour}`)} /> }))]}
                onChange={(colour) => change(name, { colour })}
              />
              <Input size="small" aria-label={t('viz.titleOf', { series: name })} placeholder={name} value={look.title} maxLength={60} onChange={(event) => change(name, { title: event.target.value })} />
              {right ? (
                <Select
                  size="small"
                  className={css.columnFormat}
                  aria-label={t('viz.axisOf', { series: name })}
                  value={look.right ? 'right' : 'left'}
                  options={[
                    { value: 'left', label: t('viz.choice.leftAxis') },
                    { value: 'right', label: t('viz.choice.rightAxis') },
                  ]}
                  popupMatchSelectWidth={false}
                  onChange={(side) => change(name, { right: side === 'right' })}
                />
              ) : null}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Swatch({ place, text }: { place: number; text: string }) {
  return (
    <span className={css.swatch}>
      <i style={{ background: `var(--c${place})` }} aria-hidden />
      <span>{text}</span>
    </span>
  );
}

export function ReferenceLines({ lines, onChange }: { lines: readonly ReferenceLine[]; onChange: (lines: ReferenceLine[]) => void }) {
  const { t } = useTranslation();
  const change = (at: number, next: Partial<ReferenceLine>) => onChange(lines.map((line, index) => (index === at ? { ...line, ...next } : line)));
  return (
    <div className={css.wide}>
      <h3 className={css.section}>{t('viz.section.referenceLines')}</h3>
      <ul className={css.columns}>
        {lines.map((line, at) => (
          <li key={at} className={css.column}>
            <Input size="small" inputMode="decimal" aria-label={t('viz.lineValue', { number: at + 1 })} placeholder={t('viz.field.value')} value={line.value} maxLength={80} onChange={(event) => change(at, { value: event.target.value })} />
            <Input size="small" aria-label={t('viz.lineLabel', { number: at + 1 })} placeholder={t('viz.field.label')} value={line.label} maxLength={40} onChange={(event) => change(at, { label: event.target.value })} />
            <IconButton size="small" label={t('viz.removeLine', { number: at + 1 })} icon={<Trash2 {...icon} />} onClick={() => onChange(lines.filter((_, index) => index !== at))} />
          </li>
        ))}
      </ul>
      {lines.length < MOST_LINES ? (
        <Button size="small" kind="text" icon={<Plus {...icon} />} onClick={() => onChange([...lines, { value: '', label: '' }])}>
          {t('viz.addLine')}
        </Button>
      ) : null}
    </div>
  );
}
