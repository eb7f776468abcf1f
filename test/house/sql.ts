/** Where SQL may stand, how store functions are called, and which tables row-level security guards. */
import type { Finding } from './arrows.ts';
import { isTest, type SourceFile, stringsOf, withoutComments } from './tree.ts';

const statement =
  /\bSELECT\b[\s\S]*\bFROM\b|\bINSERT\s+INTO\b|\bUPDATE\s+(?:ONLY\s+)?[\w"]+[\s\S]*\bSET\b|\bDELETE\s+FROM\b|\bCOPY\s+\w+[\s\S]*\bFROM\b/;

function isStore(path: string): boolean {
  return /\/store(?:-[a-z0-9-]+)?\.ts$/.test(path);
}

/** Files with SQL that are neither a store nor in db/. */
export function sqlOutsideStores(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => !isTest(file) && !isStore(file.path) && !file.path.startsWith('src/db/'))
    .filter((file) => stringsOf(file.text).some((text) => statement.test(text)))
    .map((file) => `${file.path}: SQL stands only in store.ts, store-*.ts and src/db`);
}

const verbs = ['find', 'get', 'list', 'insert', 'update', 'remove', 'lock', 'count', 'notify', 'set', 'analyze', 'end', 'stage', 'has'];

/** Exported functions of stores that do not begin with one of the verbs of stores. */
export function wrongStoreVerbs(files: readonly SourceFile[]): Finding[] {
  const startsWithVerb = new RegExp(`^(?:${verbs.join('|')})(?![a-z])`);
  return files
    .filter((file) => !isTest(file) && isStore(file.path))
    .flatMap((file) =>
      [...withoutComments(file.text).matchAll(/^export\s+(?:async\s+)?function\s*\*?\s*(\w+)/gm)]
        .map(([, name = '']) => name)
        .filter((name) => !startsWithVerb.test(name))
        .map((name) => `${file.path}: ${name}: store functions begin with ${verbs.join(', ')}`),
    );
}

/** The tables with a tenant that stand outside row-level security on purpose, and why. Part of the design: do not add to it lightly. */
export const outsideRowLevelSecurity: Readonly<Record<string, string>> = {
  tenants: 'read before the tenant of a request is known',
  tenant_hosts: 'read before the tenant of a request is known',
  jobs: 'one queue for all tenants; a worker takes the next job of whichever tenant',
  import_staging: 'COPY is refused under row-level security',
  search_texts: 'no index answers LIKE or @> under row-level security; read by functions that refuse other tenants alone',
};

/** Code that names the table of texts: only the functions of the schema read it, since no policy guards it. */
export function textsOutsideFunctions(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => !isTest(file) && stringsOf(file.text).some((text) => /\bsearch_texts\b/.test(text)))
    .map((file) => `${file.path}: search_texts is read by the functions of the schema alone`);
}

/** Tables of the migrations that have a tenant_id and are neither under forced row-level security nor on the list. */
export function unguardedTables(sql: string, exceptions: readonly string[] = Object.keys(outsideRowLevelSecurity)): Finding[] {
  const text = sql.replace(/--[^\n]*/g, '');
  const tables = [...text.matchAll(/CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+) \(([\s\S]*?)\n\)/g)];
  // Either by name, or in a loop over an array of names that runs both statements.
  const named = (action: string) =>
    [...text.matchAll(new RegExp(`ALTER TABLE (\\w+) ${action} ROW LEVEL SECURITY`, 'g'))].map(([, name]) => name);
  const looped = [...text.matchAll(/FOREACH \w+ IN ARRAY ARRAY\[([^\]]*)\]\s*LOOP([\s\S]*?)END LOOP/g)]
    .filter(
      ([, , body = '']) => /ENABLE ROW LEVEL SECURITY/.test(body) && /FORCE ROW LEVEL SECURITY/.test(body) && /CREATE POLICY/.test(body),
    )
    .flatMap(([, list = '']) => [...list.matchAll(/'(\w+)'/g)].map(([, name]) => name));
  const guarded = (name: string) => looped.includes(name) || (named('ENABLE').includes(name) && named('FORCE').includes(name));
  return tables
    .filter(([, name = '', columns = '']) => /^\s*tenant_id\b/m.test(columns) && !guarded(name) && !exceptions.includes(name))
    .map(
      ([, name]) =>
        `table ${name}: a table with a tenant_id has row-level security enabled and forced, or stands on the list of exceptions`,
    );
}

/** Tables under row-level security, or with a tenant at all, whose primary key does not begin with tenant_id. */
export function wrongPrimaryKeys(sql: string, exceptions: readonly string[] = Object.keys(outsideRowLevelSecurity)): Finding[] {
  return [...sql.replace(/--[^\n]*/g, '').matchAll(/CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+) \(([\s\S]*?)\n\)/g)]
    .filter(([, name = '', columns = '']) => /^\s*tenant_id\b/m.test(columns) && !exceptions.includes(name))
    .filter(([, , columns = '']) => !/PRIMARY KEY \(tenant_id\b/.test(columns) && !/^\s*tenant_id\b[^,]*PRIMARY KEY/m.test(columns))
    .map(([, name]) => `table ${name}: every table starts its primary key with tenant_id`);
}
