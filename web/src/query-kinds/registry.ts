/** All query kinds that can be written in the browser, in the order in which they are offered. */
import { graph } from './graph';
import { hive } from './hive';
import { label } from './label';
import { mapreduce } from './mapreduce';
import { sql } from './sql';
import type { QueryKind } from './types';

export const queryKinds: readonly [QueryKind, ...QueryKind[]] = [sql, graph, hive, mapreduce, label];
