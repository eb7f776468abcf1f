/** Random sequences of imports against a plain model of what they mean: what is open, what ended, and the counts of each import. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../test/support/database.ts';
import { makeTenant, openFixture } from '../../../test/support/inventory.ts';

interface Row {
  readonly account: string;
  readonly entitlement: string;
  readonly used: string;
}

interface Life {
  readonly from: number;
  to: number | null;
  used: string;
}

const key = (account: string, entitlement: string) => `${account} ${entitlement}`;

/** The grants of one app, by the rules and nothing else. */
class Model {
  revision = 0;
  readonly lives = new Map<string, Life[]>();

  open(): Map<string, Life> {
    return new Map(
      [...this.lives].flatMap(([name, lives]) => lives.filter((life) => life.to === null).map((life) => [name, life] as const)),
    );
  }

  import(rows: readonly Row[]): { added: number; changed: number; removed: number; unchanged: number } {
    const wanted = new Map<string, string>();
    for (const { account, entitlement, used } of rows) {
      for (const name of [key(account, entitlement), key(account, 'ACCESS')]) {
        wanted.set(name, [wanted.get(name) ?? '', used].sort().at(-1) ?? '');
      }
    }
    const open = this.open();
    const counts = { added: 0, changed: 0, removed: 0, unchanged: 0 };
    const count = (name: string, what: keyof typeof counts) => {
      counts[what] += name.endsWith(' ACCESS') ? 0 : 1;
    };
    const differs = [...wanted].some(([name, used]) => open.get(name)?.used !== used) || [...open.keys()].some((name) => !wanted.has(name));
    this.revision += differs ? 1 : 0;
    for (const [name, used] of wanted) {
      const life = open.get(name);
      if (life === undefined) {
        this.lives.set(name, [...(this.lives.get(name) ?? []), { from: this.revision, to: null, used }]);
        count(name, 'added');
      } else {
        count(name, life.used === used ? 'unchanged' : 'changed');
        life.used = used;
      }
    }
    for (const [name, life] of open) {
      if (!wanted.has(name)) {
        life.to = this.revision;
        count(name, 'removed');
      }
    }
    return counts;
  }
}

describe('sequences of imports', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openFixture();
  });
  afterAll(() => test.close());

  it('mean what the model says', async () => {
    const row = fc.record({
      account: fc.constantFrom('a', 'b', 'c', 'd'),
      entitlement: fc.constantFrom('r', 's', 't'),
      used: fc.constantFrom('', '2024-01-01T00:00:00Z', '2024-06-01T00:00:00Z'),
    });
    const file = fc.array(row, { minLength: 1, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 6 }), async (files) => {
        const tenant = makeTenant(test);
        const model = new Model();
        for (const rows of files) {
          const expected = model.import(rows);
          const done = await tenant.grants(
            rows.map((one) => `${one.account},,USER,ENABLED,role,x,${one.entitlement},,${one.used}`),
            { allowRemovals: true },
          );
          expect(done).toMatchObject({ ...expected, rows: rows.length, revision: model.revision });
        }
        const stored = await test.admin(
          `SELECT a.external_id || ' ' || CASE WHEN e.is_app_access THEN 'ACCESS' ELSE e.external_id END AS name, g.added_revision::int AS "from",
             g.removed_revision::int AS "to", coalesce(to_char(g.last_used_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), '') AS used
           FROM grants g JOIN accounts a ON a.tenant_id = g.tenant_id AND a.id = g.account_id JOIN entitlements e ON e.tenant_id = g.tenant_id AND e.id = g.entitlement_id
           WHERE g.tenant_id = $1 ORDER BY 1, 2`,
          [tenant.tenantId],
        );
        const expected = [...model.lives].flatMap(([name, lives]) => lives.map((life) => ({ name, ...life })));
        expect(stored).toEqual(expected.sort((one, two) => (one.name < two.name ? -1 : one.name > two.name ? 1 : one.from - two.from)));
        const counts = await test.admin(
          `SELECT (SELECT user_count FROM apps WHERE tenant_id = $1)::int AS accounts, (SELECT count(*) FROM accounts WHERE tenant_id = $1 AND status <> 'DELETED')::int AS seen,
             (SELECT sum(grant_count) FROM entitlements WHERE tenant_id = $1)::int AS grants`,
          [tenant.tenantId],
        );
        const open = model.open();
        const accounts = [...open.keys()].filter((name) => name.endsWith(' ACCESS')).length;
        expect(counts).toEqual([{ accounts, seen: accounts, grants: open.size }]);
      }),
      { numRuns: 40 },
    );
  });
});
