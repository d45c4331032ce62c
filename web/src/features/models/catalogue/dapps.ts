/** Contracts and the people who call them: which contracts share people, and who called what in a month. */
import type { Model } from '../model';
import { kindOfAddress, mostLinks, mostNodes, onDay } from '../sql';
import { monthAfter } from '../values';

const usesOfDay = (day: string): string => `WITH uses AS (
  SELECT x.to_address AS app, x.from_address AS person, min(x.block_timestamp) AS at, count(*) AS times
  FROM transactions x JOIN contracts d ON d.address = x.to_address
  WHERE ${onDay('x.block_timestamp', day)} AND x.receipt_status = 1
  GROUP BY x.to_address, x.from_address
)`;

export const dappRelation: Model = {
  id: 'dappRelation',
  path: 'dapp_relation/:day',
  layout: 'force',
  unit: 'count',
  kinds: ['contract', 'token', 'nft'],
  controls: [{ name: 'day', kind: 'date' }],
  queries: ({ day = '' }) => ({
    kind: 'SQL',
    nodes: `${usesOfDay(day)}
SELECT a.app AS node, ${kindOfAddress} AS kind, coalesce(d.name, c.name) AS name, d.dapp_type, a.people AS size, a.at, a.calls, count(*) OVER () AS total
FROM (SELECT app, count(*) AS people, sum(times) AS calls, min(at) AS at FROM uses GROUP BY app) a JOIN contracts c ON c.address = a.app
LEFT JOIN labels.dapps d ON d.address = a.app
ORDER BY a.people DESC, a.app ${mostNodes}`,
    links: `${usesOfDay(day)}
SELECT a.app AS source, b.app AS target, count(*) AS size, min(a.at) AS at, count(*) OVER () AS total
FROM uses a JOIN uses b ON b.person = a.person AND a.app < b.app
GROUP BY a.app, b.app ORDER BY size DESC, source, target ${mostLinks}`,
  }),
};

/** Each brings one person at most, so that people and contracts together are not more than are drawn. */
const MOST_USES = 2800;

const usesOfMonth = (month: string): string => `WITH uses AS (
  SELECT x.to_address AS app, x.from_address AS person, min(x.block_timestamp) AS at, count(*) AS times
  FROM transactions x JOIN contracts d ON d.address = x.to_address
  WHERE x.block_timestamp >= TIMESTAMP '${month}-01 00:00:00' AND x.block_timestamp < TIMESTAMP '${monthAfter(month)} 00:00:00' AND x.receipt_status = 1
  GROUP BY x.to_address, x.from_address
), shown AS (
  SELECT app, person, at, times, count(*) OVER () AS total FROM uses ORDER BY times DESC, person, app LIMIT ${MOST_USES}
)`;

export const dappUser: Model = {
  id: 'dappUser',
  path: 'dapp-user/:month',
  layout: 'force',
  unit: 'count',
  kinds: ['contract', 'token', 'nft', 'newcomer', 'returning'],
  controls: [{ name: 'month', kind: 'date' }],
  queries: ({ month = '' }) => ({
    kind: 'SQL',
    nodes: `${usesOfMonth(month)}, known AS (
  SELECT from_address AS person, min(block_timestamp) AS first FROM transactions GROUP BY from_address
), found AS (
  SELECT u.app AS node, ${kindOfAddress} AS kind, coalesce(d.name, c.name) AS name, sum(u.times) AS size, min(u.at) AS at, count(*) AS partners, 1 AS place
  FROM shown u JOIN contracts c ON c.address = u.app LEFT JOIN labels.dapps d ON d.address = u.app
  GROUP BY u.app, c.address, c.is_erc20, c.is_erc721, c.is_erc1155, coalesce(d.name, c.name)
  UNION ALL
  SELECT u.person, CASE WHEN k.first >= TIMESTAMP '${month}-01 00:00:00' THEN 'newcomer' ELSE 'returning' END, NULL, sum(u.times), min(u.at), count(*), 2
  FROM shown u JOIN known k ON k.person = u.person GROUP BY u.person, k.first
)
SELECT node, kind, name, size, at, partners, count(*) OVER () AS total FROM found ORDER BY place, size DESC, node ${mostNodes}`,
    links: `${usesOfMonth(month)}
SELECT person AS source, app AS target, times AS size, at, total FROM shown ORDER BY size DESC, source, target`,
  }),
};
