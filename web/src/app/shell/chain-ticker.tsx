// The chain in one line: the newest 24 blocks as bars, the head, its gas price, and whether it is simulated.
import { useTranslation } from 'react-i18next';
import { useChain, type RecentBlock } from '@/api/chain';
import { blockName, gasPrice } from '@/lib/format';
import { formatTime } from '@/lib/time';
import { Tag } from '@/ui/parts';
import css from './top-bar.module.css';

const shown = 24;
const size = { bar: 3, gap: 1, height: 16 };

export function ChainTicker() {
  const { t } = useTranslation();
  const { data } = useChain();
  if (!data?.head) return <div className={css.ticker} />;
  const newest = data.recentBlocks.at(-1);
  const price = newest?.baseFee ? gasPrice(newest.baseFee) : null;
  return (
    <div className={css.ticker}>
      {data.origin === 'sample' && (
        <Tag tone="warn" title={t('shell.sampleHint')}>
          {t('shell.sample')}
        </Tag>
      )}
      <span className={css.chain} title={t('shell.dataAsOf', { time: formatTime(data.head.time) })}>
        <Bars blocks={data.recentBlocks.slice(-shown)} />
        <strong>{blockName(data.head.number)}</strong>
        {price && (
          <span className={css.gas}>
            <strong>{price.value}</strong> {price.unit}
          </span>
        )}
      </span>
    </div>
  );
}

function Bars({ blocks }: { blocks: RecentBlock[] }) {
  const { t } = useTranslation();
  const step = size.bar + size.gap;
  return (
    <svg className={css.bars} width={shown * step} height={size.height} role="img" aria-label={t('shell.barsLabel', { count: blocks.length })}>
      {blocks.map((block, index) => {
        const height = Math.max(2, (size.height * block.gasUsed) / block.gasLimit);
        const newest = index === blocks.length - 1;
        return (
          <rect
            key={block.number}
            x={(shown - blocks.length + index) * step}
            y={size.height - height}
            width={size.bar}
            height={height}
            fill={newest ? 'var(--ochre)' : 'var(--c9)'}
            opacity={newest ? 1 : 0.35 + (0.65 * index) / shown}
          />
        );
      })}
    </svg>
  );
}
