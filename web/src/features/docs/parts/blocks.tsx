// Draws the blocks of a text: prose, headings with their anchors, code, and the live parts.
import { Link as LinkIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { loadTexts } from '@/i18n';
import { lazyPart, Part } from '@/ui/part';
import { Skeleton } from '@/ui/parts';
import { Prose } from '../prose';
import type { Block } from '../text';
import { Code } from './code';
import { plain } from './contents';
import css from '../docs.module.css';

export interface LiveProps {
  /** What stands behind the name in the code fence. */
  args: readonly string[];
  /** The lines inside the fence. */
  text: string;
}

/** The parts that show what is not written in the text, by the name that the text calls them. */
const live: Readonly<Record<string, (props: LiveProps) => ReactNode>> = {
  chart: lazyPart(async () => {
    const [module] = await Promise.all([import('./chart'), loadTexts('charts')]);
    return { default: module.LiveChart };
  }),
  'official-list': lazyPart(() => import('./official').then((module) => ({ default: module.OfficialList }))),
  table: lazyPart(() => import('./table').then((module) => ({ default: module.TableColumns }))),
  functions: lazyPart(() => import('./functions').then((module) => ({ default: module.Functions }))),
  'chart-types': lazyPart(async () => {
    const [module] = await Promise.all([import('./chart-types'), loadTexts('charts')]);
    return { default: module.ChartTypes };
  }),
};

/** The names there are, for the test of the texts. */
export const liveNames = Object.keys(live);

export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return blocks.map((block, index) => {
    if (block.kind === 'prose') return <Prose key={index} parts={block.parts} />;
    if (block.kind === 'code') return <Code key={index} language={block.language} text={block.text} run={block.run} />;
    if (block.kind === 'heading') return <Heading key={block.id} {...block} />;
    const Live = live[block.name];
    return Live ? (
      <Part key={index} of={[block]} waiting={<Skeleton height="3rem" width="100%" />}>
        <Live args={block.args} text={block.text} />
      </Part>
    ) : null;
  });
}

function Heading({ level, id, text }: { level: number; id: string; text: string }) {
  const { t } = useTranslation();
  const Tag = level <= 2 ? 'h2' : 'h3';
  const pieces = text.split('`');
  return (
    <Tag id={id} className={css.heading}>
      {pieces.map((piece, index) => (index % 2 === 1 ? <code key={index}>{piece}</code> : piece))}
      <a href={`#${id}`} className={css.anchor} aria-label={t('docs.anchor', { heading: plain(text) })}>
        <LinkIcon size={15} strokeWidth={1.6} aria-hidden />
      </a>
    </Tag>
  );
}
