/** The person's own tables: Parquet files on the server that SQL and HIVE read, and HIVE and MAPREDUCE write. */
import { call, type Schemas } from './call';
import { request } from './request';

export type UserTable = Schemas['UserTableView'];
export type UserTables = Awaited<ReturnType<typeof listUserTables>>;
export type UploadMode = 'create' | 'replace' | 'append';

export const listUserTables = (signal?: AbortSignal) => call('get', '/api/table/list', { quiet: true, ...(signal ? { signal } : {}) });

export const dropUserTable = (table: string) => call('post', '/api/table/drop', { body: { table } });

export const shareUserTable = (table: string, userName: string, allow: boolean) => call('post', '/api/table/share', { body: { table, userName, allow }, quiet: true });

/** What others published of the table and would become unreadable without the right of `userName`, or without anybody's. */
export const tableDependents = (table: string, userName?: string, signal?: AbortSignal) => call('get', '/api/table/dependents', { query: { table, userName }, quiet: true, ...(signal ? { signal } : {}) });

/** Uploads a CSV file with a header row or a Parquet file; the end of its name says which it is. */
export function uploadUserTable(table: string, mode: UploadMode, file: File): Promise<UserTable> {
  const body = new FormData();
  body.append('table', table);
  body.append('mode', mode);
  body.append('file', file);
  return request('POST', '/api/table/upload', { body, quiet: true });
}
