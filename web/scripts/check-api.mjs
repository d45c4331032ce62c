// Fails when src/api/schema.ts is not what api/openapi.json generates.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';

const root = path.resolve(import.meta.dirname, '..');
const document = new URL(`file://${path.resolve(root, '../api/openapi.json')}`);
const expected = COMMENT_HEADER + astToString(await openapiTS(document));
if (readFileSync(path.join(root, 'src/api/schema.ts'), 'utf8') !== expected) {
  console.error('src/api/schema.ts does not fit api/openapi.json: run `npm run api:generate`.');
  process.exit(1);
}
console.log('src/api/schema.ts fits api/openapi.json');
