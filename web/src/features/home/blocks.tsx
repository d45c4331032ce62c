// The newest 96 blocks as bars: height is gas used, colours are kinds of call. Arrow keys read them one by one.
import { useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useChain, type RecentBlock } from '@/api/chain';
import { messageOf } from '@/api/error';
import { blockName, count, share } from '@/lib/format';
import { formatTime } from '@/lib/time';
import { useTimeTexts } from '@/i18n/time';
import { kindColour, KindLegend } from '@/ui/cut';
import { gasParts } from '@/ui/cut-layout';
import { Card, Failed, Skeleton } from '@/ui/parts';
import css from './home.module.css';

export function Blocks() {
  const { t } = useTranslation();
  const { elapsed } = useTimeTexts();
  const { data, error, isPending, refetch } = useChain();
  const [at, setAt] = useState<number | null>(null);
  const blocks = data?.recentBlocks ?? [];
  const first = blocks[0];
  const last = blocks.at(-1);
  const span = first && last ? elapsed(last.time - first.time) : '…';
  const chosen = at === null ? undefined : blocks[at];

  const onKeyDown = (event: KeyboardEvent) => {
    const now = at ?? blocks.length;
    const steps: Record<string, number> = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: blocks.length - 1 };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setAt(Math.max(0, Math.min(blocks.length - 1, next)));
  };

  return (
    <Card
      className={css.blocks}
      title={
        <>
          {t('home.lastBlocks', { count: blocks.length || 96 })} {first || isPending ? <span className={first ? undefined : 'keeps-room'}>{t('home.lastBlocksNote', { span })}</span> : null}
        </>
      }
      extra={<KindLegend blocks={isPending ? undefined : blocks} className={css.legend} />}
    >
      {error && !data ? (
        <Failed message={messageOf(error)} onRetry={() => void refetch()} />
      ) : isPending ? (
        <div className={css.bars}>
          <Skeleton height="100%" width="100%" />
        </div>
      ) : (
        // A picture that is read with the arrow keys, like a slider over the blocks.
        <div
          className={css.bars}
          role="slider"
          tabIndex={0}
          aria-label={t('home.blocksLabel')}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, blocks.length - 1)}
          aria-valuenow={at ?? Math.max(0, blocks.length - 1)}
          aria-valuetext={describe(chosen ?? last)}
          onKeyDown={onKeyDown}
          onBlur={() => setAt(null)}
          onPointerLeave={() => setAt(null)}
        >
          {blocks.map((block, index) => (
            <div key={block.number} className={css.bar} data-chosen={index === at} onPointerEnter={() => setAt(index)}>
              {[...gasParts(block)].reverse().map(([kind, gas]) => gas > 0 && <i key={kind} style={{ height: `${(gas / block.gasLimit) * 100}%`, background: kindColour[kind] }} />)}
            </div>
          ))}
        </div>
      )}
      <div className={css.barsFoot}>
        {chosen ? (
          <span className={css.chosen}>{describe(chosen)}</span>
        ) : (
          <>
            <span>{first ? blockName(first.number) : '\u00a0'}</span>
            {first ? <span className={css.target}>{t('home.target')}</span> : null}
            <span>{last && t('home.newest', { block: blockName(last.number), time: formatTime(last.time) })}</span>
          </>
        )}
      </div>
    </Card>
  );

  function describe(block: RecentBlock | undefined): string {
    if (!block) return '';
    const [largest] = gasParts(block).sort((a, b) => b[1] - a[1]);
    const facts = [blockName(block.number), t('shell.blockTime', { time: formatTime(block.time) })];
    facts.push(t('shell.blockFacts', { count: block.transactionCount, transactions: count(block.transactionCount), full: share(block.gasUsed / block.gasLimit, 0) }));
    if (largest && largest[1] > 0) {
      facts.push(`${t(`shell.kinds.${largest[0]}`)} ${share(largest[1] / Math.max(1, block.gasUsed), 0)}`);
    }
    return facts.join(' · ');
  }
}
