/**
 * Random sequences of imports from two sources and of manual grants against a plain model of what they mean: what is open, what ended, the
 * counts of each import, what each sync's file said, and how any two of them differ.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { checkInventory } from '../../../test/support/check-inventory.ts';
import type { TestDatabase } from '../../../test/support/database.ts';
import { bodyOf, grantsHeader, makeTenant, openFixture } from '../../../test/support/inventory.ts';
import { insertEntitlement } from '../../../test/support/manual-app.ts';
import { inTransaction, type Context } from '../../context.ts';
import { recordEvent } from '../../../test/support/any-event.ts';
import { ensureApp } from '../catalog/index.ts';
import { addAccounts, endGrants, giveGrants, takeRevision } from '../ledger/index.ts';
import { createUser } from '../../foundation/directory/index.ts';
import { importGrants } from './import-grants.ts';
import { diffSyncs, replaySync } from './replay/replay-syncs.ts';

interface Row {
  readonly account: string;
  readonly entitlement: string;
  readonly used: string;
}

interface Life {
  readonly name: string;
  readonly account: string;
  readonly source: number;
  readonly from: number;
  to: number | null;
  used: string;
}

type Act =
  | { readonly kind: 'import'; readonly source: number; readonly rows: readonly Row[] }
  | { readonly kind: 'give' | 'take'; readonly account: string };

const names = ['a@x.example', 'b@x.example', 'c@x.example'];
const later = (one: string, other: string): string => (one > other ? one : other);

/** One app, by the rules and nothing else. */
class Model {
  revision = 0;
  readonly lives: Life[] = [];
  /** The source of each account that is there. */
  readonly accounts = new Map<string, number>();

  find(name: string): Life | undefined {
    return this.lives.find((life) => life.to === null && life.name === name);
  }

  /** The open grants of an account, app access left out, by whom they are given. */
  held(account: string, by: (source: number) => boolean): Life[] {
    return this.lives.filter((life) => life.to === null && life.account === account && !life.name.endsWith(' ACCESS') && by(life.source));
  }

  ofSource(source: number): Map<string, string> {
    const held = names.flatMap((account) => this.held(account, (one) => one === source));
    return new Map(held.map((life) => [life.name, life.used]));
  }

  import(source: number, rows: readonly Row[]): { added: number; changed: number; removed: number; unchanged: number } {
    const wanted = new Map<string, { account: string; used: string }>();
    const access = new Map<string, string>();
    for (const { account, entitlement, used } of rows) {
      const name = `${account} ${entitlement}`;
      wanted.set(name, { account, used: later(wanted.get(name)?.used ?? '', used) });
      const others = this.held(account, (one) => one !== source).map((life) => life.used);
      access.set(account, [access.get(account) ?? '', used, ...others].reduce(later));
    }
    const next = this.revision + 1;
    let isChanged = false;
    const counts = { added: 0, changed: 0, removed: 0, unchanged: 0 };
    const put = (name: string, account: string, used: string, of: number): 'added' | 'changed' | 'unchanged' => {
      const life = this.find(name);
      if (life === undefined) {
        this.lives.push({ name, account, source: of, from: next, to: null, used });
        isChanged = true;
        return 'added';
      }
      // What somebody else gives stays as that one says.
      if (life.used === used || (life.source !== source && !name.endsWith(' ACCESS'))) {
        return 'unchanged';
      }
      life.used = used;
      isChanged = true;
      return 'changed';
    };
    const end = (life: Life | undefined): void => {
      if (life !== undefined) {
        life.to = next;
        isChanged = true;
      }
    };
    for (const account of names) {
      for (const life of this.held(account, (one) => one === source).filter(({ name }) => !wanted.has(name))) {
        end(life);
        counts.removed++;
      }
      if (this.accounts.get(account) === source && !access.has(account)) {
        const [heir] = this.held(account, (one) => one !== source).sort((one, two) => one.source - two.source);
        if (heir === undefined) {
          this.accounts.delete(account);
          end(this.find(`${account} ACCESS`));
        } else {
          this.accounts.set(account, heir.source);
        }
      }
    }
    for (const [account, used] of access) {
      const owner = this.accounts.get(account) ?? 0;
      this.accounts.set(account, owner === 0 ? source : owner);
      put(`${account} ACCESS`, account, used, source);
    }
    for (const [name, { account, used }] of wanted) {
      counts[put(name, account, used, source)]++;
    }
    this.revision += isChanged ? 1 : 0;
    return counts;
  }

  /** False where there is nothing to do. */
  give(account: string): boolean {
    if (this.find(`${account} manual`) !== undefined) {
      return false;
    }
    this.revision++;
    if (!this.accounts.has(account)) {
      this.accounts.set(account, 0);
      this.lives.push({ name: `${account} ACCESS`, account, source: 0, from: this.revision, to: null, used: '' });
    }
    this.lives.push({ name: `${account} manual`, account, source: 0, from: this.revision, to: null, used: '' });
    return true;
  }

  take(account: string): boolean {
    const life = this.find(`${account} manual`);
    if (life === undefined) {
      return false;
    }
    this.revision++;
    life.to = this.revision;
    return true;
  }
}

/** Finds how two states of a source differ. */
function compare(before: Map<string, string>, after: Map<string, string>): { added: string[]; removed: string[]; changed: string[] } {
  const of = (one: Map<string, string>, keep: (name: string) => boolean): string[] => [...one.keys()].filter(keep).sort();
  return {
    added: of(after, (name) => !before.has(name)),
    removed: of(before, (name) => !after.has(name)),
    changed: of(after, (name) => before.has(name) && before.get(name) !== after.get(name)),
  };
}

const usedText = (date: Date | null): string => date?.toISOString().replace('.000Z', 'Z') ?? '';

describe('sequences of imports and of manual changes', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openFixture();
  });
  afterAll(() => test.close());

  const row = fc.record({
    account: fc.constantFrom(...names),
    entitlement: fc.constantFrom('r', 's', 't'),
    used: fc.constantFrom('', '2024-01-01T00:00:00Z', '2024-06-01T00:00:00Z'),
  });
  const rows = fc.array(row, { minLength: 1, maxLength: 8 });
  const act = (sources: readonly number[]): fc.Arbitrary<Act> =>
    fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('import' as const), source: fc.constantFrom(...sources), rows }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('give' as const, 'take' as const), account: fc.constantFrom(...names) }) },
    );

  /** Gives or takes the manual entitlement as whoever changes grants manually does. */
  async function changeByHand(context: Context, appId: string, entitlementId: string, kind: 'give' | 'take', name: string, userId: string) {
    await inTransaction(context, async (inside) => {
      await ensureApp(inside, 'Wiki');
      const account = await inside.db.maybe<{ id: string }>(
        `SELECT id FROM accounts WHERE tenant_id = $1 AND app_id = $2 AND external_id = $3 AND status <> 'DELETED'`,
        [context.tenantId, appId, name],
      );
      const change = { appId, revision: await takeRevision(inside, appId, 'MANUAL'), sourceNo: 0 };
      await recordEvent(inside, { kind: 'test.changed', targetType: 'app', targetId: appId, data: { revision: change.revision } });
      if (kind === 'take') {
        await endGrants(inside, change, [{ entitlementId, accountId: account?.id ?? '' }]);
        return;
      }
      const made =
        account === undefined
          ? await addAccounts(inside, change, [{ externalId: name, email: name, displayName: name, userId }])
          : undefined;
      await giveGrants(inside, change, [{ entitlementId, accountId: account?.id ?? made?.get(name) ?? '' }]);
    });
  }

  async function play(acts: readonly Act[]): Promise<void> {
    const tenant = makeTenant(test);
    const model = new Model();
    const context = tenant.context;
    const userIds = new Map<string, string>();
    for (const name of names) {
      userIds.set(name, await createUser(context(), { email: name, displayName: name, roles: [] }));
    }
    // The first source and the second have these numbers by being made in this order.
    const app = await inTransaction(context(), (inside) => ensureApp(inside, 'Wiki'));
    for (const [at, name] of ['one', 'two'].entries()) {
      await context().db.run(
        `INSERT INTO sources (tenant_id, id, app_id, source_no, display_name, name_key, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5, $6, $6)`,
        [tenant.tenantId, `${name}${tenant.tenantId}`.slice(0, 27), app.id, at + 1, name, new Date()],
      );
    }
    const manualId = await insertEntitlement(context(), app.id, 'manual');
    const syncs: { id: string; source: number; said: Map<string, string> }[] = [];
    for (const one of acts) {
      if (one.kind !== 'import') {
        if (one.kind === 'give' ? model.give(one.account) : model.take(one.account)) {
          await changeByHand(context(), app.id, manualId, one.kind, one.account, userIds.get(one.account) ?? '');
        }
        continue;
      }
      const expected = model.import(one.source, one.rows);
      const lines = one.rows.map(({ account, entitlement, used }) => `${account},${account},USER,ENABLED,role,x,${entitlement},,${used}`);
      const done = await importGrants(
        context(),
        { app: 'Wiki', source: one.source === 1 ? 'one' : 'two', allowRemovals: true },
        { body: bodyOf(`${[grantsHeader, ...lines].join('\n')}\n`), encoding: '' },
      );
      expect(done).toMatchObject({ ...expected, rows: one.rows.length, revision: model.revision });
      syncs.push({ id: done.id, source: one.source, said: model.ofSource(one.source) });
    }
    await checkState(tenant.tenantId, model);
    await checkInventory(test.admin, tenant.tenantId);
    for (const sync of syncs) {
      const { rows: replayed, names: entitlements } = await replaySync(context(), sync.id, undefined, 1000);
      const said = replayed.map((one) => [
        `${one.account.externalId} ${entitlements.get(one.entitlementId)?.entitlement}`,
        usedText(one.lastUsedAt),
      ]);
      expect(new Map(said as [string, string][])).toEqual(sync.said);
      for (const other of syncs.filter(({ source }) => source === sync.source)) {
        const expected = compare(other.said, sync.said);
        const found = await diffSyncs(context(), sync.id, other.id, undefined, 1000);
        const kindOf = (kind: 'added' | 'removed' | 'changed'): string[] =>
          found.rows
            .filter(({ before, after }) => (before === null ? 'added' : after === null ? 'removed' : 'changed') === kind)
            .map((one) => `${(one.after ?? one.before)?.account.externalId} ${found.names.get(one.entitlementId)?.entitlement}`)
            .sort();
        expect({ added: kindOf('added'), removed: kindOf('removed'), changed: kindOf('changed') }).toEqual(expected);
        const { added, removed, changed } = expected;
        expect(found.counts).toMatchObject({ added: added.length, removed: removed.length, changed: changed.length });
      }
    }
  }

  async function checkState(tenantId: string, model: Model): Promise<void> {
    const stored = await test.admin(
      `SELECT a.external_id || ' ' || CASE WHEN e.is_app_access THEN 'ACCESS' ELSE e.external_id END AS name, g.added_revision::int AS "from",
         g.removed_revision::int AS "to", coalesce(to_char(g.last_used_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), '') AS used,
         CASE WHEN g.is_derived THEN -1 ELSE g.source_no END::int AS source
       FROM grants g JOIN accounts a ON a.tenant_id = g.tenant_id AND a.id = g.account_id JOIN entitlements e ON e.tenant_id = g.tenant_id AND e.id = g.entitlement_id
       WHERE g.tenant_id = $1 ORDER BY 1, 2`,
      [tenantId],
    );
    const expected = model.lives.map(({ name, from, to, used, source }) => ({
      name,
      from,
      to,
      used,
      source: name.endsWith(' ACCESS') ? -1 : source,
    }));
    expect(stored).toEqual(expected.sort((one, two) => (one.name < two.name ? -1 : one.name > two.name ? 1 : one.from - two.from)));
    const accounts = await test.admin(
      `SELECT external_id AS name, source_no::int AS source FROM accounts WHERE tenant_id = $1 AND status <> 'DELETED' ORDER BY 1`,
      [tenantId],
    );
    expect(accounts).toEqual(
      [...model.accounts].map(([name, source]) => ({ name, source })).sort((one, two) => (one.name < two.name ? -1 : 1)),
    );
    const counts = await test.admin(
      `SELECT (SELECT sum(user_count) FROM apps WHERE tenant_id = $1)::int AS accounts, (SELECT sum(grant_count) FROM entitlements WHERE tenant_id = $1)::int AS grants`,
      [tenantId],
    );
    expect(counts).toEqual([{ accounts: model.accounts.size, grants: model.lives.filter(({ to }) => to === null).length }]);
  }

  it('mean what the model says, of one source', async () => {
    await fc.assert(fc.asyncProperty(fc.array(act([1]), { minLength: 1, maxLength: 6 }), play), { numRuns: runs(4, 15) });
  }, 300_000);

  it('mean what the model says, of two sources', async () => {
    await fc.assert(fc.asyncProperty(fc.array(act([1, 2]), { minLength: 2, maxLength: 8 }), play), { numRuns: runs(5, 25) });
  }, 300_000);

  it('read back exactly the file, where one source gives everything', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(rows, { minLength: 1, maxLength: 4 }), async (files) => {
        const tenant = makeTenant(test);
        const done = [];
        for (const one of files) {
          const lines = one.map(({ account, entitlement, used }) => `${account},,USER,ENABLED,role,x,${entitlement},,${used}`);
          done.push(await tenant.grants(lines, { allowRemovals: true }));
        }
        for (const [at, one] of files.entries()) {
          const replayed = await replaySync(tenant.context(), done[at]?.id ?? '', undefined, 1000);
          const said = replayed.rows.map((grant) => `${grant.account.externalId} ${replayed.names.get(grant.entitlementId)?.entitlement}`);
          expect(said.sort()).toEqual([...new Set(one.map(({ account, entitlement }) => `${account} ${entitlement}`))].sort());
        }
      }),
      { numRuns: runs(4, 10) },
    );
  }, 300_000);
});
