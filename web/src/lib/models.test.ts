import { expect, it } from 'vitest';
import { modelNames, modelOfName } from './models';

it('a model is known by its name, also with a value behind it', () => {
  expect(modelOfName('dao_model')).toBe('dao');
  expect(modelOfName('dapp_relation/20260901')).toBe('dappRelation');
  expect(modelOfName('realtime_model_3D')).toBe('realtime3d');
  expect(modelOfName('gone_model')).toBeUndefined();
  expect(new Set(Object.values(modelNames)).size).toBe(Object.keys(modelNames).length);
});
