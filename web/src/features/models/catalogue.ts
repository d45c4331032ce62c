/** The models: how each is drawn, and which values it takes. Their queries are the server's (`api/src/models/texts/`). */
import type { Kind, Model } from './model';

const addresses: readonly Kind[] = ['account', 'contract', 'token', 'nft'];

/** The largest flows of ether between addresses. */
export const overview: Model = {
  id: 'overview',
  path: 'overview',
  layout: 'force',
  hubs: true,
  unit: 'wei',
  kinds: addresses,
  controls: [{ name: 'largest', kind: 'choice', options: ['500', '2000', '6000'], start: '2000' }],
};

/** The holders of one token and what moved between them. */
export const token: Model = {
  id: 'token',
  path: ':token',
  layout: 'force',
  unit: 'raw',
  kinds: [...addresses, 'zero'],
  controls: [{ name: 'token', kind: 'address' }],
};

/** How the network grew on a day, hour by hour, as curves; and the day's flows in space along time. */
export const networkCurve: Model = {
  id: 'networkCurve',
  path: 'eth_network_curve/:day',
  layout: 'curve',
  unit: 'count',
  kinds: ['transactions', 'pairs', 'addresses', 'soFar', 'degree', 'value'],
  controls: [{ name: 'day', kind: 'date' }],
};

export const networkCurve3d: Model = {
  id: 'networkCurve3d',
  path: 'ethNetworkCurve_model_3D/:day',
  layout: 'time',
  unit: 'wei',
  kinds: addresses,
  controls: [{ name: 'day', kind: 'date' }],
};

/** Contracts and the people who call them: which contracts share people, and who called what in a month. */
export const dappRelation: Model = {
  id: 'dappRelation',
  path: 'dapp_relation/:day',
  layout: 'force',
  unit: 'count',
  kinds: ['contract', 'token', 'nft'],
  controls: [{ name: 'day', kind: 'date' }],
};

export const dappUser: Model = {
  id: 'dappUser',
  path: 'dapp-user/:month',
  layout: 'force',
  unit: 'count',
  kinds: ['contract', 'token', 'nft', 'newcomer', 'returning'],
  controls: [{ name: 'month', kind: 'date' }],
};

const blocks = {
  unit: 'wei',
  kinds: ['block', 'transfer', 'token', 'nft', 'swap', 'creation', 'failed', 'call'],
  controls: [{ name: 'blocks', kind: 'choice', options: ['8', '24', '48'], start: '24' }],
  live: true,
} satisfies Partial<Model>;

/** The newest blocks and their transactions, and the newest swaps. */
export const realtime: Model = { id: 'realtime', path: 'realtime_model', layout: 'columns', ...blocks };
export const realtime3d: Model = { id: 'realtime3d', path: 'realtime_model_3D', layout: 'blocks', ...blocks };

export const uniswap: Model = {
  id: 'uniswap',
  path: 'uniswap_realtime_model',
  layout: 'force',
  unit: 'count',
  kinds: ['token', 'swap2', 'swap3'],
  controls: [{ name: 'days', kind: 'choice', options: ['1', '7', '30'], start: '1' }],
  live: true,
};

/** Governance: proposals, the votes on them, and who lets whom vote. */
export const dao: Model = {
  id: 'dao',
  path: 'dao_model',
  layout: 'force',
  unit: 'raw',
  kinds: ['proposal', 'votedFor', 'votedAgainst', 'abstained', 'delegate', 'delegator'],
  controls: [],
};

/** Who proposes blocks, and whom the proposers pay. */
export const miner: Model = {
  id: 'miner',
  path: 'miner_model',
  layout: 'force',
  unit: 'count',
  kinds: ['proposer', 'payout'],
  controls: [],
};

/** A vampire attack: providers who left a pool and gave to another one within seven days. */
export const vampire: Model = {
  id: 'vampire',
  path: 'vampire_attack_model',
  layout: 'force',
  unit: 'raw',
  kinds: ['victimPool', 'attackerPool', 'migrated'],
  controls: [],
};

/** Airdrops: who gave to whom, and which of those who received acted alike. */
export const airDrop: Model = {
  id: 'airDrop',
  path: 'air_drop_model',
  layout: 'force',
  unit: 'raw',
  kinds: ['distributor', 'kept', 'sold', 'forwarded'],
  controls: [],
};

export const airdrop: Model = {
  id: 'airdrop',
  path: 'airdrop_model',
  layout: 'force',
  unit: 'count',
  kinds: ['poor', 'rich'],
  controls: [
    { name: 'similarity', kind: 'choice', options: ['2', '5', '8'], start: '5' },
    { name: 'poor', kind: 'switch', start: '1' },
  ],
  clusters: true,
};

/** Tools on the address graph: three hops around an address, and any query that returns nodes and edges. */
export const threeHop: Model = {
  id: 'threeHop',
  path: 'test/3hop',
  layout: 'force',
  hubs: true,
  unit: 'count',
  kinds: ['account', 'contract', 'token'],
  controls: [
    { name: 'address', kind: 'address' },
    { name: 'hops', kind: 'choice', options: ['1', '2', '3'], start: '3' },
    { name: 'direction', kind: 'choice', options: ['out', 'in', 'both'], start: 'out' },
    { name: 'least', kind: 'choice', options: ['0', '0.1', '1', '10'], start: '1' },
  ],
};

export const graph: Model = {
  id: 'graph',
  path: 'test/graph',
  layout: 'force',
  hubs: true,
  unit: 'count',
  kinds: ['account', 'contract', 'token'],
  controls: [{ name: 'cypher', kind: 'text' }],
};
