/** For tests of imports and the catalog: two tenants in one database, files written as text, and what is in the tables afterwards. */
import { Readable } from 'node:stream';
import { openTestDatabase, type TestDatabase } from './database.ts';
import { isAppError } from '../../src/errors.ts';
import { type Context, noReactions, silentLogger, systemActor } from '../../src/context.ts';
import { newId } from '../../src/wire/ids.ts';
import { importGrants } from '../../src/inventory/syncs/import-grants.ts';
import { importPeople } from '../../src/inventory/syncs/import-people.ts';
import type { SyncRow } from '../../src/inventory/syncs/record/index.ts';

/** The header of a people file. */
export const peopleHeader = 'email,display_name,manager_email,department,job_title,employment_status';
/** The header of a grants file. */
export const grantsHeader = 'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at';

/** One tenant of a test. */
export interface TestTenant {
  readonly tenantId: string;
  context(now?: Date): Context;
  people(lines: readonly string[], options?: { source?: string; allowRemovals?: boolean }): Promise<SyncRow>;
  grants(lines: readonly string[], options?: { app?: string; allowRemovals?: boolean }): Promise<SyncRow>;
}

/** A body of this text, in two pieces. */
export function bodyOf(text: string | Buffer): Readable {
  const bytes = Buffer.from(text as string);
  const middle = Math.floor(bytes.length / 2);
  return Readable.from([bytes.subarray(0, middle), bytes.subarray(middle)].filter((piece) => piece.length > 0));
}

/** A tenant of its own in a test database; nothing of it needs to exist before. */
export function makeTenant(test: TestDatabase): TestTenant {
  const tenantId = newId(new Date());
  const context = (now = new Date()): Context => ({
    db: test.database.tenant(tenantId),
    tenantId,
    actor: systemActor('test'),
    now,
    log: silentLogger,
    react: noReactions,
  });
  const upload = (header: string, lines: readonly string[]) => ({ body: bodyOf(`${[header, ...lines].join('\n')}\n`), encoding: '' });
  return {
    tenantId,
    context,
    people: (lines, { source = '', allowRemovals = false } = {}) =>
      importPeople(context(), { source, allowRemovals }, upload(peopleHeader, lines)),
    grants: (lines, { app = 'Wiki', allowRemovals = false } = {}) =>
      importGrants(context(), { app, allowRemovals }, upload(grantsHeader, lines)),
  };
}

/** A database for a test file. */
export function openFixture(): Promise<TestDatabase> {
  return openTestDatabase({ poolSize: 6 });
}

/** Refusal of an import, its violations as 'field: description'. */
export async function refusalOf(work: Promise<unknown>): Promise<{ code: string; message: string; violations: string[] }> {
  const error = await work.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (!isAppError(error)) {
    throw new Error(`expected a refusal, got ${error === undefined ? 'success' : String(error)}`);
  }
  return {
    code: error.code,
    message: error.message,
    violations: (error.violations ?? []).map((one) => `${one.field}: ${one.description}`),
  };
}
