/** What the query page asks the server for. */
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { getJobLog, type LogLine } from '@/api/jobs';
import { request } from '@/api/request';
import { listUserTables, type UserTable, type UserTables } from '@/api/user-tables';
import { useSession } from '@/lib/session';
import { live, useLiveState } from '@/live/socket';
import { EMPTY_CATALOGUE, type Catalogue, type CatalogueSchema } from '@/query-kinds/catalogue';

export function useCatalogue(): UseQueryResult<Catalogue> {
  return useQuery({ queryKey: ['catalogue'], queryFn: ({ signal }) => request<Catalogue>('GET', '/api/engine/catalogue', { signal, quiet: true }), staleTime: 60_000 });
}

/** The person's own tables and those that others share. */
export function useUserTables(): UseQueryResult<UserTables> {
  const { token } = useSession();
  return useQuery({ queryKey: ['tables'], queryFn: ({ signal }) => listUserTables(signal), enabled: token !== null, staleTime: 30_000 });
}

function schemasOf(tables: readonly UserTable[]): CatalogueSchema[] {
  const names = [...new Set(tables.map((table) => table.schema))];
  const entry = (table: UserTable) => ({ name: table.table, doc: '', rows: table.rows, columns: table.columns.map((column) => ({ ...column, doc: '' })) });
  return names.map((name) => ({ name, tables: tables.filter((table) => table.schema === name).map(entry) }));
}

/** Everything that can be named in a query: the catalogue and the tables of people. */
export function useNames(): Catalogue {
  const { data } = useCatalogue();
  const { data: tables } = useUserTables();
  return useMemo(() => (data ? { ...data, schemas: [...data.schemas, ...schemasOf(tables ? [...tables.tables, ...tables.shared] : [])] } : EMPTY_CATALOGUE), [data, tables]);
}

interface JobLog {
  lines: LogLine[];
}

const logTypes: readonly string[] = ['hive.log', 'mr.log'];
const pollMs = 2_000;

/** What the job said: asked for once, then heard live (of the kinds that `tell`), else asked again; and once more at the end. */
export function useJobLog(jobId: string | null, active: boolean, tells: boolean): UseQueryResult<JobLog> {
  const client = useQueryClient();
  const connected = useLiveState() === 'open';
  useEffect(() => {
    if (jobId === null || !active) return;
    return live.listen(({ type, data }) => {
      const said = data as JobLog & { jobId: string };
      if (!logTypes.includes(type) || said.jobId !== jobId) return;
      client.setQueryData<JobLog>(['log', jobId], (known) => {
        const before = known?.lines ?? [];
        // The first answer may hold lines that are told again.
        const last = before.at(-1)?.time ?? 0;
        const news = said.lines.filter((line) => line.time > last || (line.time === last && !before.some((one) => one.time === last && one.text === line.text)));
        return { lines: [...before, ...news] };
      });
    });
  }, [client, jobId, active]);
  const log = useQuery({ queryKey: ['log', jobId], queryFn: () => getJobLog(jobId ?? ''), enabled: jobId !== null, refetchInterval: active && !(connected && tells) ? pollMs : false });
  const { refetch } = log;
  useEffect(() => {
    if (jobId !== null && !active) void refetch();
  }, [jobId, active, refetch]);
  return log;
}
