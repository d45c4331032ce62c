// Published papers, and those that only the back office sees.
import { useQuery } from '@tanstack/react-query';
import { call, type Schemas } from '@/api/call';
import { request } from '@/api/request';
import { saveFile } from '@/lib/save-file';

export type Paper = Schemas['WhitePaper'];

const size = 50;

type List = '/api/white-paper/list' | '/api/system/white-paper/list';

/** All papers of a list: there are few, and both pages filter and number them. */
async function everyPaper(list: List, signal: AbortSignal): Promise<Paper[]> {
  const papers: Paper[] = [];
  for (let page = 1; ; page += 1) {
    const { items, total } = await call('get', list, { query: { page, size }, signal, quiet: true });
    papers.push(...items);
    if (items.length === 0 || papers.length >= total) return papers;
  }
}

/** Newest first. */
export function usePapers() {
  return useQuery({ queryKey: ['papers'], queryFn: ({ signal }) => everyPaper('/api/white-paper/list', signal), staleTime: 60_000 });
}

/** With those that are not published, for who may publish them. */
export function useDrafts(enabled: boolean) {
  return useQuery({ queryKey: ['papers', 'drafts'], queryFn: ({ signal }) => everyPaper('/api/system/white-paper/list', signal), enabled, staleTime: 60_000 });
}

/** The bytes of a paper. */
export function usePaperFile(path: string | undefined) {
  return useQuery({
    queryKey: ['paper', path],
    queryFn: ({ signal }) => request<Blob>('GET', '/api/file/download', { query: { path }, signal, quiet: true }),
    enabled: path !== undefined,
    staleTime: Infinity,
    retry: false,
  });
}

/** Has the browser save a paper under its title. */
export async function savePaper({ path, title }: Paper): Promise<void> {
  saveFile(`${title}.pdf`, await request<Blob>('GET', '/api/file/download', { query: { path } }));
}
