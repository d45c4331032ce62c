/** Formatting of SQL; the formatter is large and loads with its first use. */
import { inTime } from '@/lib/loading';

export async function formatSql(text: string, language: 'postgresql' | 'hive' = 'postgresql'): Promise<string> {
  const { format } = await inTime(() => import('sql-formatter'));
  // PostgreSQL's rules are the nearest to the engine's dialect; names and functions keep their letter case.
  return format(text, { language, keywordCase: 'lower', dataTypeCase: 'lower', functionCase: 'preserve', tabWidth: 2, linesBetweenQueries: 1 });
}
