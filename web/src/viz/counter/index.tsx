/** Counter: one number of the result, large. */
import { Hash } from 'lucide-react';
import { defineViz } from '../define';
import css from '../viz.module.css';
import { Editor } from './editor';
import { defaults, type CounterOptions } from './options';
import { transform, type CounterModel } from './transform';

function View({ model, options, title }: { model: CounterModel; options: CounterOptions; title: string }) {
  return (
    <div className={css.counter}>
      <p className={css.counterValue} title={model.full} data-long={model.text.length > 22}>
        {model.text}
      </p>
      <p className={css.counterLabel}>{options.label || title}</p>
    </div>
  );
}

export const counter = defineViz({ id: 'counter', icon: Hash, defaults, transform, Editor, View });
