import { expect, it } from 'vitest';
import { modelNames } from '@/lib/models';
import { base, modelAt, modelPath, models } from './registry';

const address = `0x${'a1'.repeat(20)}`;

it.each([
  ['overview', 'overview', {}],
  ['token', 'token', {}],
  [address, 'token', { token: address }],
  ['eth_network_curve/20261030', 'networkCurve', { day: '20261030' }],
  ['ethNetworkCurve_model_3D/20261030', 'networkCurve3d', { day: '20261030' }],
  ['dapp_relation/20210728', 'dappRelation', { day: '20210728' }],
  ['dapp-user', 'dappUser', {}],
  ['realtime_model', 'realtime', {}],
  ['realtime_model_3D', 'realtime3d', {}],
  ['dao_model', 'dao', {}],
  ['miner_model', 'miner', {}],
  ['vampire_attack_model', 'vampire', {}],
  ['air_drop_model', 'airDrop', {}],
  ['airdrop_model', 'airdrop', {}],
  ['uniswap_realtime_model', 'uniswap', {}],
  ['test/3hop', 'threeHop', {}],
  ['test/graph', 'graph', {}],
])('%s is the model %s', (path, id, params) => {
  const match = modelAt(path);
  expect(match?.model.id).toBe(id);
  expect(match?.params).toMatchObject(params);
});

it('what is no address is no token', () => {
  expect(modelAt('0x12')).toBeNull();
  expect(modelAt('anything')).toBeNull();
});

it('every model is found at the address its card leads to', () => {
  for (const model of models) expect(modelAt(modelPath(model).replace('/visualization_model/', ''))?.model).toBe(model);
});

it('a dashboard offers every model by the name that leads to it, in the order of the overview', () => {
  expect(Object.entries(modelNames)).toEqual(models.map((model) => [model.id, modelPath(model).slice(base.length + 1)]));
});
