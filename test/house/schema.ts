/**
 * Demands on the migrated schema: guarded tables, keys that begin with the tenant, and lists of values that the code has too. The checkers read
 * what test/schema.test.ts found in the catalogs of PostgreSQL, so they need not understand how a migration was written.
 */
import type { Finding } from './arrows.ts';
import { outsideRowLevelSecurity } from '../../src/db/check.ts';
import { isTest, type SourceFile } from './tree.ts';

/** A table that has a tenant_id, as the catalogs describe it. */
export interface TenantTable {
  readonly name: string;
  readonly isForced: boolean;
  /** Conditions of its policies, as PostgreSQL prints them. */
  readonly policies: readonly string[];
  /** The first column of its primary key. */
  readonly firstOfKey: string | null;
}

const guardCondition = '(tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))';

/** Tables with a tenant that are neither under forced row-level security by the one policy there is, nor on the list. */
export function unguardedTables(tables: readonly TenantTable[], exceptions = Object.keys(outsideRowLevelSecurity)): Finding[] {
  return tables
    .filter(({ name }) => !exceptions.includes(name))
    .filter(({ isForced, policies }) => !isForced || policies.length !== 1 || policies[0] !== guardCondition)
    .map(({ name }) => `table ${name}: row-level security does not guard it; its migration must say SELECT guard_tenant_table('${name}');`);
}

/** Tables with a tenant whose primary key does not begin with it. */
export function wrongPrimaryKeys(tables: readonly TenantTable[], exceptions = Object.keys(outsideRowLevelSecurity)): Finding[] {
  return tables
    .filter(({ name, firstOfKey }) => !exceptions.includes(name) && firstOfKey !== 'tenant_id')
    .map(({ name }) => `table ${name}: every table starts its primary key with tenant_id`);
}

/** Statements of migrations that change rows of a tenant's table which forced row-level security hides from its owner: they would change none. */
export function blindUpdates(migrations: ReadonlyMap<string, string>, exceptions = Object.keys(outsideRowLevelSecurity)): Finding[] {
  return [...migrations].flatMap(([name, text]) =>
    [...text.matchAll(/^UPDATE (\w+)/gm)]
      .map(([, table = '']) => table)
      .filter((table) => !exceptions.includes(table) && !text.includes(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY;`))
      .map(
        (table) => `${name}: UPDATE ${table} sees no row; say ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY before, and FORCE behind`,
      ),
  );
}

/** A column that may hold only some texts: `tasks.state`, and which. */
export interface RestrictedColumn {
  readonly column: string;
  readonly values: readonly string[];
}

/** The texts in a CHECK as PostgreSQL prints it; undefined where it is not a list of texts for one column. */
export function valuesOfCheck(definition: string): string[] | undefined {
  return /^CHECK \(\(\w+ = ANY \(ARRAY\[[^\]]*\]\)\)\)$/.test(definition) ? quoted(definition) : undefined;
}

function quoted(text: string): string[] {
  return [...text.matchAll(/'([^']*)'/g)].map(([, value = '']) => value).sort();
}

/** The lists of texts in the code whose comment names a column in backticks: of a type, a constant, or a member of a row. */
function listsOf(files: readonly SourceFile[]): { column: string; path: string; values: string[] }[] {
  const declaration = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:export type \w+ =|export const \w+ =|readonly \w+:)([^;]*);/g;
  return files
    .filter((file) => !isTest(file))
    .flatMap(({ path, text }) =>
      [...text.matchAll(declaration)].flatMap(([, comment = '', list = '']) =>
        [...comment.matchAll(/`(\w+\.\w+)`/g)].map(([, column = '']) => ({ column, path, values: quoted(list) })),
      ),
    );
}

/** Columns whose values SQL alone reads and writes, so that no type of the code holds them, and what they are. */
const valuesOfSqlAlone: Readonly<Record<string, string>> = {
  'logs.state': 'whether an epoch of a log still grows',
};

/** Columns whose values the schema restricts, and that no type of the code names in its comment or that one lists otherwise. */
export function driftOfValues(columns: readonly RestrictedColumn[], files: readonly SourceFile[]): Finding[] {
  const lists = listsOf(files);
  return columns.flatMap(({ column, values }) => {
    const [table, name] = column.split('.');
    const wanted = [...values].sort().join(', ');
    const named = lists.filter((list) => list.column === column);
    if (named.length === 0) {
      return column in valuesOfSqlAlone
        ? []
        : [`${column}: the schema restricts it; name it in backticks in the comment of the TypeScript type with the same values`];
    }
    return named
      .filter((list) => list.values.join(', ') !== wanted)
      .map(
        (list) =>
          `${column}: the schema allows ${wanted}; ${list.path} lists ${list.values.join(', ')}. A new migration can say SELECT restrict_values('${table}', '${name}', ARRAY[...]);`,
      );
  });
}
