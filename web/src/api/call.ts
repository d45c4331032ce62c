// Calls by the API's own document: paths, parameters, bodies and answers are checked by the compiler.
import { request, type Method, type RequestOptions } from './request';
import type { components, paths } from './schema';

export type Schemas = components['schemas'];

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete';
type PathsWith<V extends Verb> = { [P in keyof paths]: paths[P][V] extends object ? P : never }[keyof paths];
type Operation<P extends keyof paths, V extends Verb> = paths[P][V];

type Json<R> = R extends { content: { 'application/json': infer B } } ? B : never;
type Envelope<O> = O extends { responses: infer R } ? Json<R[keyof R & (200 | 202)]> : never;
type Data<O> = Envelope<O> extends { data: infer D } ? D : undefined;

/** The parameters of one kind, as the document says: required, optional, or none (`never`). */
type Parameters<O, Kind extends string> = O extends { parameters: Record<Kind, infer Q> }
  ? [NonNullable<Q>] extends [never] ? unknown : Record<Kind, Q>
  : O extends { parameters: Partial<Record<Kind, infer Q>> }
    ? [NonNullable<Q>] extends [never] ? unknown : Partial<Record<Kind, Q>>
    : unknown;
type Body<O> = O extends { requestBody: { content: { 'application/json': infer B } } } ? { body: B } : unknown;
type Input<O> = Parameters<O, 'path'> & Parameters<O, 'query'> & Body<O> & Pick<RequestOptions, 'signal' | 'anonymous' | 'token' | 'quiet' | 'keepalive'>;

/** Makes one call of the API; resolves to the envelope's data, rejects with ApiError. */
export function call<V extends Verb, P extends PathsWith<V>>(verb: V, path: P, input: Input<Operation<P, V>>): Promise<Data<Operation<P, V>>> {
  const { path: names, ...options } = input as RequestOptions & { path?: Record<string, string | number> };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(names?.[name] ?? '')));
  return request(verb.toUpperCase() as Method, filled, options);
}
