// A piece of code: coloured, with a button to copy it and, when it is a query, one that opens it in the editor.
import { Play } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { queryWithText, type LinkedKind } from '@/lib/query-link';
import { ButtonLink } from '@/ui/button';
import { CopyButton } from '@/ui/parts';
import { highlight } from '../highlight';
import css from '../docs.module.css';

const kinds: Readonly<Record<string, LinkedKind>> = { sql: 'SQL', hive: 'HIVE', cypher: 'GRAPH', mapreduce: 'MAPREDUCE', label: 'LABEL' };

export function Code({ language, text, run = false }: { language: string; text: string; run?: boolean }) {
  const { t } = useTranslation();
  const kind = kinds[language];
  return (
    <div className={css.code}>
      {/* It scrolls, so the keyboard has to be able to reach it. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} role="region" aria-label={t('docs.code')}>
        <code>
          {highlight(text, language).map((piece, index) => (
            <span key={index} data-paint={piece.paint}>
              {piece.text}
            </span>
          ))}
        </code>
      </pre>
      <div className={css.codeTools}>
        {run && kind !== undefined ? (
          <ButtonLink size="small" to={queryWithText(kind, `${text}\n`)} icon={<Play size={14} strokeWidth={1.6} aria-hidden />}>
            {t('docs.openInEditor')}
          </ButtonLink>
        ) : null}
        <CopyButton text={text} label={t('docs.copyCode')} />
      </div>
    </div>
  );
}
