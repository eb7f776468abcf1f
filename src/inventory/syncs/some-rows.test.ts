/**
 * A sync that looks only at the groups of rows that differ, beside one of the same file that looks at all: random files of one source, one after
 * the other, with what makes rows depend on each other. Both must leave the same accounts, grants, history, counts, warnings and refusals.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkInventory } from '../../../test/support/check-inventory.ts';
import type { TestDatabase } from '../../../test/support/database.ts';
import { bodyOf, grantsHeader, makeTenant, openFixture, type TestTenant } from '../../../test/support/inventory.ts';
import { tries } from '../../../test/support/runs.ts';
import { isAppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/types.ts';
import { importGrants } from './import-grants.ts';

const accounts = Array.from({ length: 14 }, (_, at) => `acct-${at}`);
const header = `${grantsHeader},username,display_name,expires_at,granted_via,team,entitlement_name`;

interface Row {
  readonly account: string;
  readonly owner: string;
  readonly status: string;
  readonly entitlement: string;
  readonly used: string;
  readonly name: string;
  readonly ends: string;
  readonly via: string;
  readonly team: string;
  readonly label: string;
}

type Change =
  | { readonly kind: 'drop' | 'repeat'; readonly place: number }
  | { readonly kind: 'add'; readonly row: Row }
  | { readonly kind: 'put'; readonly place: number; readonly row: Partial<Row> }
  | { readonly kind: 'leave'; readonly account: string };

type Act =
  | { readonly kind: 'file'; readonly changes: readonly Change[]; readonly order: readonly number[] }
  | { readonly kind: 'whole'; readonly rows: readonly Row[] }
  | { readonly kind: 'people'; readonly names: readonly string[] };

const account = fc.constantFrom(...accounts);
const part = {
  account,
  owner: fc.constantFrom('', '', 'ann@x.example', 'bob@x.example', 'nobody@x.example'),
  status: fc.constantFrom('ENABLED', 'ENABLED', 'ENABLED', 'DISABLED'),
  entitlement: fc.constantFrom('r', 's', 't', 'u', ''),
  used: fc.constantFrom('', '2024-01-01T00:00:00Z', '2024-06-01T00:00:00Z'),
  name: fc.constantFrom('', 'One', 'Two, "quoted"'),
  ends: fc.constantFrom('', '', '2031-01-01T00:00:00Z'),
  via: fc.constantFrom('', '', 'role/x/r', 'role/x/lost'),
  team: fc.constantFrom('', 'Red', 'Blue'),
  label: fc.constant(''),
};
const held = fc.constantFrom('r', 's', 't', 'u');
/** Rows of one account agree for the most part; those that do not refuse the file. */
const row: fc.Arbitrary<Row> = fc.oneof(
  { weight: 1, arbitrary: fc.record(part) },
  { weight: 3, arbitrary: fc.record({ ...part, account: fc.constant(''), entitlement: held, label: fc.constantFrom('', 'One', 'Other') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      ...part,
      status: fc.constant('ENABLED'),
      owner: fc.constant(''),
      entitlement: fc.constant('-'),
      via: fc.constant(''),
    }),
  },
  {
    weight: 20,
    arbitrary: fc.record({ ...part, entitlement: held, via: fc.constantFrom('', '', '', 'role/x/r') }).map((one) => {
      const number = Number(one.account.slice(5));
      return { ...one, status: 'ENABLED', owner: ['', 'ann@x.example', 'nobody@x.example', ''][number % 4] ?? '' };
    }),
  },
);
const place = fc.nat(40);
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constantFrom('drop' as const, 'repeat' as const), place }),
  fc.record({ kind: fc.constant('add' as const), row }),
  fc.record({ kind: fc.constant('put' as const), place, row: fc.record({ used: part.used, ends: part.ends, team: part.team }) }),
  fc.record({ kind: fc.constant('leave' as const), account }),
);
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('file' as const),
      changes: fc.array(change, { maxLength: 3 }),
      order: fc.array(fc.nat(1000), { minLength: 60, maxLength: 60 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('whole' as const), rows: fc.array(row, { minLength: 1, maxLength: 30 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('people' as const), names: fc.subarray(['ann', 'bob', 'nobody'], { minLength: 1 }) }),
  },
);

function applyChange(rows: readonly Row[], one: Change): readonly Row[] {
  switch (one.kind) {
    case 'add':
      return [...rows, one.row];
    case 'leave':
      return rows.filter((row) => row.account !== one.account);
    case 'drop':
      return rows.filter((_, at) => at !== one.place % rows.length);
    case 'repeat':
      return rows.flatMap((row, at) => (at === one.place % rows.length ? [row, row] : [row]));
    case 'put':
      return rows.map((row, at) => (at === one.place % rows.length ? { ...row, ...one.row } : row));
  }
}

const cell = (text: string): string => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
/** A row of a grant; of an account alone, whose entitlement is `-`; of an entitlement alone, which has no account. */
function lineOf(one: Row): string {
  const words = one.account === '' ? ['', '', ''] : [one.owner, 'USER', one.status];
  const held = one.entitlement === '-' ? ['', '', ''] : ['role', 'x', one.entitlement];
  const more = one.account === '' ? ['', '', '', '', '', '', ''] : ['', one.used, '', one.name, one.ends, one.via, one.team];
  return [one.account, ...words, ...held, ...more, one.entitlement === '-' ? '' : one.label].map(cell).join(',');
}

describe('a sync of the rows that differ', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openFixture();
  });
  afterAll(() => test.close());

  let scoped = 0;
  /** Counts the syncs that looked at a part. */
  function watched(context: Context): Context {
    const transaction: Db['transaction'] = (work) =>
      context.db.transaction((tx) =>
        work({
          ...tx,
          rows: (sql, values) => tx.rows(sql, values),
          run(sql, values) {
            scoped += typeof sql === 'string' && sql.startsWith('CREATE TEMP TABLE import_scope') ? 1 : 0;
            return tx.run(sql, values);
          },
        }),
      );
    return { ...context, db: { ...context.db, transaction } };
  }

  const send = (context: Context, lines: readonly string[]) =>
    importGrants(context, { app: 'Wiki', allowRemovals: true }, { body: bodyOf(`${[header, ...lines].join('\n')}\n`), encoding: '' }).then(
      ({ rows, added, changed, removed, unchanged, counts, warningCount, warnings, revision }) => ({
        ...{ rows, added, changed, removed, unchanged, counts, warningCount, warnings, revision },
      }),
      (error: unknown) => {
        if (!isAppError(error)) {
          throw error;
        }
        return { refused: error.message, violations: error.violations };
      },
    );

  const stateOf = ({ tenantId }: TestTenant) =>
    Promise.all([
      test.admin(
        `SELECT a.external_id, e.external_id AS entitlement, g.added_revision::int AS "from", g.removed_revision::int AS "to", g.granted_at,
           g.last_used_at, g.deprovision_at, jsonb_array_length(g.paths) AS paths, g.is_derived
         FROM grants g JOIN accounts a ON a.tenant_id = g.tenant_id AND a.id = g.account_id
         JOIN entitlements e ON e.tenant_id = g.tenant_id AND e.id = g.entitlement_id WHERE g.tenant_id = $1 ORDER BY 1, 2, 3`,
        [tenantId],
      ),
      test.admin(
        `SELECT external_id, email, display_name, username, account_type, status, profile, match_count, user_id IS NULL AS unowned
         FROM accounts WHERE tenant_id = $1 ORDER BY 1`,
        [tenantId],
      ),
      test.admin(
        `SELECT external_id, display_name, grant_count::int AS count FROM entitlements WHERE tenant_id = $1 AND external_id <> '' ORDER BY 1`,
        [tenantId],
      ),
      test.admin('SELECT user_count::int AS count FROM apps WHERE tenant_id = $1', [tenantId]),
    ]);

  async function play(acts: readonly Act[]): Promise<void> {
    const [some, all] = [makeTenant(test), makeTenant(test)];
    let rows: readonly Row[] = [];
    for (const one of acts) {
      if (one.kind === 'people') {
        for (const tenant of [some, all]) {
          await tenant.people(
            one.names.map((name) => `${name}@x.example,${name},,,,ACTIVE`),
            { allowRemovals: true },
          );
        }
        continue;
      }
      const next = one.kind === 'whole' ? one.rows : one.changes.reduce(applyChange, rows);
      if (next.length === 0) {
        continue;
      }
      const order = one.kind === 'whole' ? [] : one.order;
      const lines = next
        .map((row, at) => ({ row, key: order[at] ?? 0 }))
        .sort((a, b) => a.key - b.key)
        .map(({ row }) => lineOf(row));
      await test.admin('DELETE FROM sync_contents WHERE tenant_id = $1', [all.tenantId]);
      const expected = await send(all.context(), lines);
      expect(await send(watched(some.context()), lines)).toEqual(expected);
      rows = 'refused' in expected ? rows : next;
    }
    expect(await stateOf(some)).toEqual(await stateOf(all));
    await checkInventory(test.admin, some.tenantId);
  }

  it('does what a sync of all rows does', async () => {
    const start: fc.Arbitrary<Act> = fc.record({
      kind: fc.constant('whole' as const),
      rows: fc.array(row, { minLength: 20, maxLength: 40 }),
    });
    const story = fc.tuple(start, fc.array(act, { minLength: 3, maxLength: 7 })).map(([first, rest]) => [first, ...rest]);
    await fc.assert(fc.asyncProperty(story, play), { numRuns: tries(5, 120) });
    expect(scoped).toBeGreaterThan(tries(5, 120));
  }, 600_000);
});
