/** The 3D models, in the order of the overview: what each is called in `/visualization_model/…`, which is what a dashboard keeps of it. */
export const modelNames = {
  overview: 'overview',
  token: 'token',
  networkCurve: 'eth_network_curve',
  networkCurve3d: 'ethNetworkCurve_model_3D',
  dappRelation: 'dapp_relation',
  dappUser: 'dapp-user',
  realtime: 'realtime_model',
  realtime3d: 'realtime_model_3D',
  dao: 'dao_model',
  miner: 'miner_model',
  vampire: 'vampire_attack_model',
  airDrop: 'air_drop_model',
  airdrop: 'airdrop_model',
  uniswap: 'uniswap_realtime_model',
  threeHop: 'test/3hop',
  graph: 'test/graph',
} as const;

export type ModelId = keyof typeof modelNames;

export const modelIds = Object.keys(modelNames) as ModelId[];

/** The model of a name, also with a value behind it (`dapp_relation/20260901`); undefined where the name says none. */
export const modelOfName = (name: string): ModelId | undefined => modelIds.find((id) => name === modelNames[id] || name.startsWith(`${modelNames[id]}/`));
