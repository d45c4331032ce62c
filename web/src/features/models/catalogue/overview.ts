/** The largest flows of ether between addresses. */
import type { Model } from '../model';
import { network } from '../sql';

export const overview: Model = {
  id: 'overview',
  path: 'overview',
  layout: 'force',
  hubs: true,
  unit: 'wei',
  kinds: ['account', 'contract', 'token', 'nft'],
  controls: [{ name: 'largest', kind: 'choice', options: ['500', '2000', '6000'], start: '2000' }],
  queries: ({ largest }) => ({
    kind: 'SQL',
    ...network(
      `  SELECT from_address AS source, to_address AS target, sum(value) AS size, min(block_timestamp) AS at
  FROM transactions
  WHERE value > 0 AND receipt_status = 1 AND to_address IS NOT NULL AND from_address <> to_address
  GROUP BY from_address, to_address`,
      Number(largest),
    ),
  }),
};
