// The cut, large: the signature picture of the start page and the entrances. Real blocks, no decoration.
import { useMemo, useState, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { callKinds, type CallKind, type RecentBlock } from '@/api/chain';
import { blockName, count, share } from '@/lib/format';
import { formatTime } from '@/lib/time';
import { cutLayers, type Layer } from './cut-layout';
import css from './cut.module.css';

export const kindColour: Record<CallKind, string> = {
  swap: 'var(--c1)',
  token: 'var(--c3)',
  transfer: 'var(--c9)',
  nft: 'var(--c2)',
  creation: 'var(--c5)',
  other: 'var(--c7)',
};

/** As many blocks as the picture shows. */
export const cutBlocks = 72;
/** The layers that carry their block's number beside them. */
const named = [3, 20, 45];

interface CutProps {
  /** Newest last, as the server sends them. */
  blocks: RecentBlock[];
  /** Left edge of the newest and of the oldest layer, 0 to 1. */
  top: number;
  bottom: number;
}

export function Cut({ blocks, top, bottom }: CutProps) {
  const { t } = useTranslation();
  const [pointed, setPointed] = useState<{ layer: Layer; x: number; y: number }>();
  const layers = useMemo(() => cutLayers(blocks.slice(-cutBlocks).reverse(), top, bottom), [blocks, top, bottom]);
  const newest = layers[0]?.block;
  const oldest = layers.at(-1)?.block;
  if (!newest || !oldest) return null;

  const point = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = event.clientX - box.left;
    const y = event.clientY - box.top;
    const layer = layers.find((candidate) => y / box.height < candidate.y + candidate.height);
    setPointed(layer && x / box.width >= layer.x ? { layer, x, y } : undefined);
  };

  return (
    <div className={css.cut}>
      <svg
        viewBox="0 0 1 1"
        preserveAspectRatio="none"
        role="img"
        aria-label={t('shell.cutLabel', { from: blockName(oldest.number), to: blockName(newest.number) })}
        onPointerMove={point}
        onPointerLeave={() => setPointed(undefined)}
      >
        {layers.map((layer) => (
          <g key={layer.block.number} data-pointed={pointed?.layer === layer}>
            {layer.parts.map((part) => (
              <rect
                key={part.kind}
                x={part.x}
                y={layer.y}
                width={part.width}
                height={layer.height}
                fill={kindColour[part.kind]}
                fillOpacity={0.6 + 0.4 * part.weight}
              />
            ))}
          </g>
        ))}
      </svg>
      {named.map((index) => {
        const layer = layers[index];
        return (
          layer && (
            <span key={index} className={css.name} style={{ top: `${(layer.y + layer.height / 2) * 100}%`, right: `${(1 - layer.x) * 100}%` }} aria-hidden>
              {blockName(layer.block.number)}
            </span>
          )
        );
      })}
      {pointed && <BlockTip layer={pointed.layer} x={pointed.x} y={pointed.y} />}
    </div>
  );
}

function BlockTip({ layer, x, y }: { layer: Layer; x: number; y: number }) {
  const { t } = useTranslation();
  const { block, parts } = layer;
  return (
    <div className={css.tip} style={{ left: x, top: y }} aria-hidden>
      <strong>{blockName(block.number)}</strong>
      <div>{t('shell.blockTime', { time: formatTime(block.time) })}</div>
      <div>{t('shell.blockFacts', { count: block.transactionCount, transactions: count(block.transactionCount), full: share(block.gasUsed / block.gasLimit, 0) })}</div>
      <ul>
        {[...parts]
          .sort((a, b) => b.share - a.share)
          .map((part) => (
            <li key={part.kind}>
              <i style={{ background: kindColour[part.kind] }} />
              {t(`shell.kinds.${part.kind}`)}
              <span>{share(part.share, 0)}</span>
            </li>
          ))}
      </ul>
    </div>
  );
}

/** What the colours mean; nothing while no block is known. */
/** `blocks` is undefined until they are known. */
export function KindLegend({ blocks, className }: { blocks: RecentBlock[] | undefined; className?: string }) {
  const { t } = useTranslation();
  if (blocks?.length === 0) return null;
  return (
    <ul className={[css.legend, className].filter(Boolean).join(' ')}>
      {callKinds.map((kind) => (
        <li key={kind}>
          <i style={{ background: kindColour[kind] }} />
          {t(`shell.kinds.${kind}`)}
        </li>
      ))}
    </ul>
  );
}
