/** What can be queried: schemas with their tables and columns, functions and keywords, as the engine lists them. */

export interface CatalogueColumn {
  readonly name: string;
  readonly type: string;
  readonly doc: string;
}

export interface CatalogueTable {
  readonly name: string;
  readonly doc: string;
  readonly rows: number | null;
  readonly columns: readonly CatalogueColumn[];
}

export interface CatalogueSchema {
  readonly name: string;
  readonly tables: readonly CatalogueTable[];
}

export interface CatalogueFunction {
  readonly name: string;
  readonly kind: string;
  readonly signature: string;
  readonly doc: string;
  readonly example: string;
}

export interface Catalogue {
  readonly schemas: readonly CatalogueSchema[];
  readonly functions: readonly CatalogueFunction[];
  readonly keywords: readonly string[];
}

export const EMPTY_CATALOGUE: Catalogue = { schemas: [], functions: [], keywords: [] };

/** Schema whose tables need no prefix. */
export const SEARCH_PATH = 'ethereum';

export function findTable(catalogue: Catalogue, schema: string | null, name: string): CatalogueTable | null {
  const schemas = catalogue.schemas.filter((one) => one.name === (schema ?? SEARCH_PATH));
  return schemas.flatMap((one) => one.tables).find((table) => table.name === name) ?? null;
}
