/** Counter: one number of the result, large. */
import { Hash } from 'lucide-react';
import { useContext, type CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '@/ui/part';
import { defineViz } from '../define';
import { FigureFrame } from '../frame';
import css from '../viz.module.css';
import { defaults, type CounterOptions } from './options';
import { transform, type CounterModel } from './transform';

const Editor = lazyPart(() => import('./editor').then(({ Editor: component }) => ({ default: component })));

function View({ model, options, title }: { model: CounterModel; options: CounterOptions; title: string }) {
  const { t } = useTranslation();
  const framed = useContext(FigureFrame) !== null;
  // A frame shows the title itself.
  const label = options.label || (framed ? '' : title);
  return (
    <div className={css.counter} data-framed={framed}>
      <p className={css.counterValue} title={model.full} style={{ '--characters': Math.max(1, model.text.length) } as CSSProperties}>
        {model.text}
      </p>
      {model.change ? (
        <p className={css.counterChange} data-tone={model.change.tone}>
          {t('viz.counter.change', { change: model.change.text, row: options.compareRow })}
        </p>
      ) : null}
      {label === '' ? null : <p className={css.counterLabel}>{label}</p>}
      {model.spark.length > 1 ? <Spark values={model.spark} /> : null}
    </div>
  );
}

const WIDTH = 160;
const HEIGHT = 36;

/** The course of the values; the number beside it says what matters. */
function Spark({ values }: { values: readonly number[] }) {
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const points = values.map((value, at) => `${((at / (values.length - 1)) * WIDTH).toFixed(1)},${(HEIGHT - 2 - ((value - low) / span) * (HEIGHT - 4)).toFixed(1)}`);
  return (
    <svg className={css.spark} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden>
      <polygon points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} />
      <polyline points={points.join(' ')} />
    </svg>
  );
}

export const counter = defineViz({ id: 'counter', icon: Hash, defaults, transform, Editor, View });
