// Calls of the back office that more than one of its pages makes.
import { useQuery } from '@tanstack/react-query';
import { call } from '@/api/call';
import { request } from '@/api/request';
import { saveFile } from '@/lib/save-file';

export const rolesKey = ['system', 'roles'] as const;

/** Every role; asked for only by those who may see them. */
export function useRoles(enabled = true) {
  return useQuery({ queryKey: rolesKey, queryFn: ({ signal }) => call('get', '/api/system/role/list', { signal, quiet: true }), enabled });
}

/** Sends a file as a form, the way every upload of the back office takes it. */
export function upload<T>(path: string, file: File, query: Record<string, string> = {}): Promise<T> {
  const form = new FormData();
  form.append('file', file);
  return request<T>('POST', path, { body: form, query, quiet: true });
}

/** Has the browser save an uploaded file under a name. */
export async function downloadFile(path: string, name: string): Promise<void> {
  saveFile(name, await request<Blob>('GET', '/api/file/download', { query: { path } }));
}
