/** The newest blocks and their transactions, and the newest swaps. */
import type { Lake, Model } from '../model';
import { mostLinks, mostNodes, moment } from '../sql';

const newest = (lake: Lake, blocks: string): string => `block_number > ${lake.headNumber - Number(blocks)} AND block_number <= ${lake.headNumber}`;

// Uniswap's swaps, versions 2 and 3.
const swaps = '(0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822, 0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67)';

const stream = (lake: Lake, blocks: string): { nodes: string; links: string } => ({
  nodes: `WITH swaps AS (
  SELECT DISTINCT transaction_hash FROM logs WHERE ${newest(lake, blocks)} AND topic0 IN ${swaps}
), moved AS (
  SELECT transaction_hash, max(standard) AS standard FROM token_transfers WHERE ${newest(lake, blocks)} GROUP BY transaction_hash
), found AS (
  SELECT concat('block ', number) AS node, 'block' AS kind, gas_used AS size, "timestamp" AS at, transaction_count AS transactions, 0 AS place
  FROM blocks WHERE number > ${lake.headNumber - Number(blocks)} AND number <= ${lake.headNumber}
  UNION ALL
  SELECT concat('', x.hash),
    CASE WHEN x.receipt_status = 0 THEN 'failed' WHEN x.to_address IS NULL THEN 'creation' WHEN s.transaction_hash IS NOT NULL THEN 'swap'
      WHEN m.standard = 'erc20' THEN 'token' WHEN m.standard IS NOT NULL THEN 'nft' WHEN x.value > 0 THEN 'transfer' ELSE 'call' END,
    x.value, x.block_timestamp, NULL, 1
  FROM transactions x LEFT JOIN swaps s ON s.transaction_hash = x.hash LEFT JOIN moved m ON m.transaction_hash = x.hash
  WHERE ${newest(lake, blocks)}
)
SELECT node, kind, size, at, transactions, count(*) OVER () AS total FROM found ORDER BY place, at DESC, node ${mostNodes}`,
  links: `SELECT concat('', hash) AS source, concat('block ', block_number) AS target, value AS size, block_timestamp AS at, count(*) OVER () AS total
FROM transactions WHERE ${newest(lake, blocks)} ORDER BY at DESC, source ${mostLinks}`,
});

const shared = {
  unit: 'wei',
  kinds: ['block', 'transfer', 'token', 'nft', 'swap', 'creation', 'failed', 'call'],
  controls: [{ name: 'blocks', kind: 'choice', options: ['8', '24', '48'], start: '24' }],
  live: true,
  queries: ({ blocks = '24' }, lake) => ({ kind: 'SQL', ...stream(lake, blocks) }),
} satisfies Partial<Model>;

export const realtime: Model = { id: 'realtime', path: 'realtime_model', layout: 'columns', ...shared };
export const realtime3d: Model = { id: 'realtime3d', path: 'realtime_model_3D', layout: 'blocks', ...shared };

const trades = (lake: Lake, days: string): string => `WITH trades AS (
  SELECT concat(tx_hash, ' ', evt_index) AS trade, version, block_time AS at, token_sold_address AS sold, token_bought_address AS bought,
    token_sold_symbol, token_bought_symbol, token_pair
  FROM dex.trades WHERE block_time > ${moment(lake.head - Number(days) * 86_400_000)}
  ORDER BY block_number DESC, evt_index DESC LIMIT 2500
)`;

export const uniswap: Model = {
  id: 'uniswap',
  path: 'uniswap_realtime_model',
  layout: 'force',
  unit: 'count',
  kinds: ['token', 'swap2', 'swap3'],
  controls: [{ name: 'days', kind: 'choice', options: ['1', '7', '30'], start: '1' }],
  live: true,
  queries: ({ days = '1' }, lake) => ({
    kind: 'SQL',
    nodes: `${trades(lake, days)}
SELECT CASE p.part WHEN 1 THEN concat('', t.sold) WHEN 2 THEN concat('', t.bought) ELSE t.trade END AS node,
  CASE p.part WHEN 3 THEN concat('swap', t.version) ELSE 'token' END AS kind,
  max(CASE p.part WHEN 1 THEN t.token_sold_symbol WHEN 2 THEN t.token_bought_symbol ELSE t.token_pair END) AS name,
  count(*) AS size, min(t.at) AS at, count(*) OVER () AS total
FROM trades t CROSS JOIN (VALUES (1), (2), (3)) AS p(part)
GROUP BY 1, 2 ORDER BY size DESC, at DESC, node ${mostNodes}`,
    links: `${trades(lake, days)}
SELECT CASE p.part WHEN 1 THEN concat('', t.sold) ELSE t.trade END AS source, CASE p.part WHEN 1 THEN t.trade ELSE concat('', t.bought) END AS target,
  1 AS size, t.at, count(*) OVER () AS total
FROM trades t CROSS JOIN (VALUES (1), (2)) AS p(part) ORDER BY at DESC, source, target ${mostLinks}`,
  }),
};
