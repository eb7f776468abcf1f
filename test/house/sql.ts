/** Where SQL may stand, how store functions are called, and how migrations are. What the migrated schema must hold is in schema.ts. */
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
  job_calls: 'as jobs: what one is called for, of whichever tenant',
  delivery_queue: 'one queue for all tenants, of ids and times alone; what a delivery is stands under row-level security',
  import_staging: 'COPY is refused under row-level security',
  search_texts: 'no index answers LIKE or @> under row-level security; read by functions that refuse other tenants alone',
};

/** Code that names the table of texts: only the functions of the schema read it, since no policy guards it. */
export function textsOutsideFunctions(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => !isTest(file) && stringsOf(file.text).some((text) => /\bsearch_texts\b/.test(text)))
    .map((file) => `${file.path}: search_texts is read by the functions of the schema alone`);
}

/** Code that adds events past `recordEvent`, whose one statement stands in the store of audit. */
export function eventsPastAudit(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => !isTest(file) && !/^src\/domains\/audit\/store(?:-[a-z0-9-]+)?\.ts$/.test(file.path))
    .filter((file) => stringsOf(file.text).some((text) => /\bINSERT\s+INTO\s+events\b/i.test(text)))
    .map((file) => `${file.path}: events are written by recordEvent and recordEventWith of audit alone`);
}

/** Migrations whose names are not four digits and words in lower case, joined by underscores, or whose numbers have a gap. */
export function wrongMigrationNames(names: readonly string[]): Finding[] {
  return [...names].sort().flatMap((name, index) => {
    const wanted = String(index + 1).padStart(4, '0');
    return new RegExp(`^${wanted}_[a-z0-9]+(?:_[a-z0-9]+)*\\.sql$`).test(name)
      ? []
      : [`src/db/migrations/${name}: a migration is called NNNN_what_it_does.sql, here ${wanted}_...; underscores, no dashes`];
  });
}
