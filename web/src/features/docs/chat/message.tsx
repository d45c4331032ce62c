// A question and its answer: the text, a query to open in the editor, and where it comes from.
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { messageOf } from '@/api/error';
import { Button } from '@/ui/button';
import { useKeepPlace } from '@/ui/keep-place';
import { Skeleton } from '@/ui/parts';
import { Markdown } from '@/ui/prose';
import { Code } from '../parts/code';
import { queryOf, type Runnable } from './ask';
import type { Exchange } from './use-chat';
import css from './chat.module.css';

const paints: Readonly<Record<Runnable['kind'], string>> = { SQL: 'sql', GRAPH: 'cypher', HIVE: 'hive', MAPREDUCE: 'js', LABEL: 'sql' };

export function Message({ exchange, onAgain }: { exchange: Exchange; onAgain: (() => void) | undefined }) {
  const { t } = useTranslation();
  const { question, text, state, sources, fallback, error } = exchange;
  const running = state === 'running';
  // A query that the answer writes itself is shown inside its text already, and can be opened below it.
  const query = (running ? null : queryOf(text)) ?? exchange.query;
  return (
    <section className={css.exchange}>
      <p className={css.question}>{question}</p>
      <div className={css.answer}>
        {fallback ? <p className={css.note}>{t('assistant.fallback')}</p> : null}
        {text === '' && running ? <Skeleton height="3em" width="80%" /> : null}
        {running ? <p className={css.growing}>{text}</p> : text === '' ? null : <Markdown text={text} />}
        {state === 'stopped' ? <p className={css.note}>{t('assistant.stopped')}</p> : null}
        {error !== null ? (
          <p className={css.error} role="alert">
            {messageOf(error)} {onAgain ? <Again onAgain={onAgain} /> : null}
          </p>
        ) : null}
        {query && !running ? (
          <div className={css.query}>
            <p>{t('assistant.query')}</p>
            <Code language={paints[query.kind]} text={query.text} run />
          </div>
        ) : null}
        {sources.length > 0 && !running ? (
          <div className={css.sources}>
            <p>{t('assistant.sources')}</p>
            <ul>
              {sources.map((source) => (
                <li key={`${source.path} ${source.title}`}>
                  <Link to={source.path}>{source.title}</Link> <span>{t(`assistant.about.${source.about}`)}</span>
                </li>
              ))}
            </ul>
          </div>
        ) : null}
      </div>
    </section>
  );
}

/** It goes once the question is asked again below: whoever did that by keys goes on from here. */
function Again({ onAgain }: { onAgain: () => void }) {
  const { t } = useTranslation();
  const place = useKeepPlace<HTMLSpanElement>();
  return (
    <span ref={place}>
      <Button size="small" onClick={onAgain}>
        {t('common.retry')}
      </Button>
    </span>
  );
}
