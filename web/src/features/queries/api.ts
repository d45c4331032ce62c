/** What the query page asks the server for. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { listUserTables, type UserTable, type UserTables } from '@/api/user-tables';
import { useSession } from '@/lib/session';
import { EMPTY_CATALOGUE, type Catalogue, type CatalogueSchema } from '@/query-kinds/catalogue';
import { useCatalogue } from '@/query-kinds/use-catalogue';

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
