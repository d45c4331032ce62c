/** All models, in the order of the overview. A new one is a constant in `catalogue.ts`, a line here, its texts, and its queries on the server. */
import { matchPath } from 'react-router';
import { airdrop, airDrop, dao, dappRelation, dappUser, graph, miner, networkCurve, networkCurve3d, overview, realtime, realtime3d, threeHop, token, uniswap, vampire } from './catalogue';
import type { Model } from './model';
import { addressPattern } from './values';

export const base = '/visualization_model';

export const models: readonly Model[] = [overview, token, networkCurve, networkCurve3d, dappRelation, dappUser, realtime, realtime3d, dao, miner, vampire, airDrop, airdrop, uniswap, threeHop, graph];

export interface Match {
  readonly model: Model;
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** The model at an address below `base`; those with a parameter open without it too. */
export function modelAt(path: string): Match | null {
  if (path === token.id) return { model: token, params: {} };
  for (const model of models) {
    const pattern = model === token ? model.path : model.path.replace(/\/:(\w+)$/, '/:$1?');
    const match = matchPath({ path: `/${pattern}`, caseSensitive: true }, `/${path}`);
    if (!match) continue;
    if (model === token && !addressPattern.test(match.params['token'] ?? '')) continue;
    return { model, params: match.params };
  }
  return null;
}

/** The address of a model with the values of its path. */
export function modelPath(model: Model, values: Readonly<Record<string, string | undefined>> = {}): string {
  if (model === token && values['token'] === undefined) return `${base}/${token.id}`;
  const path = model.path.replace(/\/?:(\w+)/, (whole, name: string) => {
    const value = values[name];
    return value === undefined || value === '' ? '' : whole.replace(`:${name}`, value.replaceAll('-', ''));
  });
  return `${base}/${path}`;
}
