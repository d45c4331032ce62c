/** How the network grew on a day, hour by hour, as curves; and the day's flows in space along time. */
import type { Model } from '../model';
import { network, onDay } from '../sql';

const measures = ['transactions', 'pairs', 'addresses', 'soFar', 'degree', 'value'] as const;

const curves = (day: string): string => `WITH moves AS (
  SELECT date_trunc('hour', block_timestamp) AS hour, from_address AS source, to_address AS target, value
  FROM transactions WHERE ${onDay('block_timestamp', day)} AND to_address IS NOT NULL
), hours AS (
  SELECT hour, count(*) AS transactions, sum(value) AS value FROM moves GROUP BY hour
), pairs AS (
  SELECT hour, count(*) AS pairs FROM (SELECT DISTINCT hour, source, target FROM moves) p GROUP BY hour
), ends AS (
  SELECT DISTINCT hour, source AS node FROM moves UNION SELECT DISTINCT hour, target FROM moves
), addresses AS (
  SELECT hour, count(*) AS addresses FROM ends GROUP BY hour
), arrivals AS (
  SELECT hour, count(*) AS arrived FROM (SELECT node, min(hour) AS hour FROM ends GROUP BY node) f GROUP BY hour
), figures AS (
  SELECT h.hour, h.transactions, p.pairs, a.addresses, sum(coalesce(n.arrived, 0)) OVER (ORDER BY h.hour) AS so_far,
    2.0 * p.pairs / a.addresses AS degree, h.value / 1000000000000000000 AS value
  FROM hours h JOIN pairs p ON p.hour = h.hour JOIN addresses a ON a.hour = h.hour LEFT JOIN arrivals n ON n.hour = h.hour
)
SELECT concat(m.kind, ' ', f.hour) AS node, m.kind,
  CASE m.kind WHEN 'transactions' THEN CAST(f.transactions AS DOUBLE) WHEN 'pairs' THEN CAST(f.pairs AS DOUBLE) WHEN 'addresses' THEN CAST(f.addresses AS DOUBLE)
    WHEN 'soFar' THEN CAST(f.so_far AS DOUBLE) WHEN 'degree' THEN CAST(f.degree AS DOUBLE) ELSE CAST(f.value AS DOUBLE) END AS size, f.hour AS at
FROM figures f CROSS JOIN (VALUES ${measures.map((name) => `('${name}')`).join(', ')}) AS m(kind)
ORDER BY kind, at`;

export const networkCurve: Model = {
  id: 'networkCurve',
  path: 'eth_network_curve/:day',
  layout: 'curve',
  unit: 'count',
  kinds: measures,
  controls: [{ name: 'day', kind: 'date' }],
  queries: ({ day = '' }) => ({ kind: 'SQL', nodes: curves(day) }),
};

export const networkCurve3d: Model = {
  id: 'networkCurve3d',
  path: 'ethNetworkCurve_model_3D/:day',
  layout: 'time',
  unit: 'wei',
  kinds: ['account', 'contract', 'token', 'nft'],
  controls: [{ name: 'day', kind: 'date' }],
  queries: ({ day = '' }) => ({
    kind: 'SQL',
    ...network(`  SELECT from_address AS source, to_address AS target, sum(value) AS size, min(block_timestamp) AS at
  FROM transactions
  WHERE ${onDay('block_timestamp', day)} AND receipt_status = 1 AND to_address IS NOT NULL AND from_address <> to_address
  GROUP BY from_address, to_address`),
  }),
};
