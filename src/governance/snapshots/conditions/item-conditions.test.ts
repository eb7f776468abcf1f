/**
 * Conditions that read the entitlement and its holder together give the same in the database and outside of it: random conditions over items with
 * and without account, owner and end.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tries } from '../../../../test/support/runs.ts';
import { useTwoTenants, type TwoTenants } from '../../../../test/support/tenants.ts';
import { compileExpression } from '../../../lib/cel/compile.ts';
import { evaluate } from '../../../lib/cel/index.ts';
import { Failure } from '../../../lib/cel/values.ts';
import { inTransaction } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';
import type { Plans } from '../../policies/index.ts';
import { ofItem } from './frozen-variables.ts';
import { planConditions } from './plan-conditions.ts';
import { listFrozenAccounts, setPagesByKey, updateConditions } from './store-conditions.ts';
import { getFrozenHolders } from '../items/index.ts';
import { getItemJoinsSql } from './store-frozen-places.ts';
import { firstItem, listFrozenItems } from './store-item-conditions.ts';

const id = 'the-snapshot-of-the-test';
const moment = { createdById: 'maker', takenAt: new Date('2026-06-15T12:00:00.000Z') };

let test: TwoTenants;
beforeAll(async () => {
  test = await useTwoTenants();
  const { db, tenantId } = test.ours.admin;
  const people = [
    {
      user_id: 'ann',
      email: 'ann@corp.example',
      department: 'Pay',
      status: 'ENABLED',
      manager_id: 'max',
      profile: { x: 'pay', y: 5, z: true },
    },
    { user_id: 'bob', email: '', department: '', status: 'DISABLED', manager_id: null, profile: { x: null, y: 'sub' } },
  ];
  const accounts = [
    { account_id: 'a1', user_id: 'ann', email: 'ann@corp.example', account_type: 'USER', principal_kind: 'A', profile: { x: 'Pay' } },
    { account_id: 'a2', user_id: 'bob', email: 'pay', account_type: 'USER', principal_kind: 'A', profile: {} },
    { account_id: 's1', user_id: null, email: '', account_type: 'SERVICE_ACCOUNT', principal_kind: 'A', profile: { y: 7.5 } },
    { account_id: 'r1', user_id: null, email: '', account_type: 'RESOURCE', principal_kind: 'R', profile: {} },
  ];
  const entitlements = [
    { entitlement_id: 'e1', display_name: 'Pay', alias: 'pay', frameworks: ['F', 'G'] },
    { entitlement_id: 'e2', display_name: 'sub', alias: '', frameworks: [] },
  ];
  const insert = async (table: string, columns: string, values: string, rows: readonly object[]): Promise<void> => {
    await db.rows(
      `INSERT INTO ${table} (tenant_id, review_id, ${columns}) SELECT $1, $2, ${values} FROM jsonb_array_elements($3::jsonb) AS r (v)`,
      [tenantId, id, JSON.stringify(rows)],
    );
  };
  const of = (...names: string[]): string => names.map((name) => `r.v ->> '${name}'`).join(', ');
  await insert(
    'review_people',
    `user_id, email, department, status, manager_id, display_name, username, employee_id, user_type, employment_status, employment_type, job_title,
       manager_email, profile`,
    `${of('user_id', 'email', 'department', 'status', 'manager_id')}, '', '', '', 'HUMAN', '', '', '', '', r.v -> 'profile'`,
    people,
  );
  await insert(
    'review_accounts',
    'account_id, user_id, email, account_type, principal_kind, app_id, external_id, account_status, profile',
    `${of('account_id', 'user_id', 'email', 'account_type', 'principal_kind')}, 'app', r.v ->> 'account_id', 'ENABLED', r.v -> 'profile'`,
    accounts,
  );
  await insert(
    'review_entitlements',
    `entitlement_id, display_name, alias, app_id, app_display_name, resource_type_id, resource_type_display_name, resource_id,
       resource_display_name, description, policy_id, compliance_framework_value_ids`,
    `${of('entitlement_id', 'display_name', 'alias')}, 'app', 'App', 'T', 'Type', 'R', 'Res', '', 'P',
       ARRAY(SELECT jsonb_array_elements_text(r.v -> 'frameworks'))`,
    entitlements,
  );
  const items = accounts.flatMap(({ account_id }, at) =>
    entitlements.map(({ entitlement_id }, n) => ({
      account_id,
      entitlement_id,
      granted_at: at === 2 ? null : '2026-01-01T00:00:00.123Z',
      ends_at: n === 0 ? null : '2026-01-03T00:00:00.124Z',
    })),
  );
  await insert(
    'review_items',
    'app_id, account_id, entitlement_id, granted_at, ends_at',
    `'app', ${of('account_id', 'entitlement_id')}, (r.v ->> 'granted_at')::timestamptz, (r.v ->> 'ends_at')::timestamptz`,
    items,
  );
  const conflicts = [{ account_id: 'a1', entitlement_id: 'e1' }];
  await insert(
    'review_conflict_grants',
    'app_id, account_id, entitlement_id, monitor_ids',
    `'app', ${of('account_id', 'entitlement_id')}, '{m1,m2}'`,
    conflicts,
  );
});
afterAll(() => test.close());

const wordOf = (verdict: unknown): string => (verdict === true ? 'yes' : verdict === false ? 'no' : 'error');

class RolledBack extends Error {}

/** Evaluates a condition for each item, outside of the database and, where that can evaluate it, inside. */
async function bothWays(text: string): Promise<{ outside: string[]; inside: string[] | undefined }> {
  const compiled = compileExpression(text, 'POLICY_CONDITION');
  if ('errors' in compiled) {
    throw new Error(`${text}: ${compiled.errors[0]?.message}`);
  }
  const context = test.ours.admin;
  const { tenantId } = context;
  const found = await listFrozenItems(context, id, { after: firstItem }, 100);
  const outside = found.map((one) => {
    const result = evaluate(compiled.expression, { variables: ofItem(moment, one), now: moment.takenAt });
    return wordOf(result instanceof Failure ? null : result);
  });
  const plans: Plans = { routes: [], conditions: ['true', text], turns: new Map(), rootIds: [], problems: [] };
  const { sides, items } = planConditions(context, plans, moment);
  const [condition] = items;
  if (condition === undefined || condition.sql === undefined || sides.some((one) => one.sql === undefined)) {
    return { outside, inside: undefined };
  }
  let inside: string[] = [];
  const evaluateInside = context.db.transaction(async (db) => {
    const within = { ...context, db };
    const of = (side: string) =>
      sides.flatMap((one) => (one.side === side && one.sql !== undefined ? [{ number: one.number, sql: one.sql }] : []));
    await updateConditions(within, id, 'account', of('account'));
    if (of('entitlement').length > 0) {
      await updateConditions(within, id, 'entitlement', of('entitlement'));
    }
    const rows = await db.rows<{ verdict: boolean | null }>(
      sql`SELECT ${condition.sql ?? sql`NULL`} AS verdict
        FROM (SELECT i.app_id, i.account_id, i.entitlement_id, i.granted_at, i.granted_at AS created_at, i.ends_at AS deprovision_at, c.conditions
          FROM review_items i JOIN review_accounts c ON c.tenant_id = i.tenant_id AND c.review_id = i.review_id AND c.account_id = i.account_id
          WHERE i.tenant_id = ${tenantId} AND i.review_id = ${id}) h
        JOIN review_entitlements e ON e.tenant_id = ${tenantId} AND e.review_id = ${id} AND e.entitlement_id = h.entitlement_id
        ${getItemJoinsSql(tenantId, id, getFrozenHolders(tenantId, id), [condition])} ORDER BY h.app_id, h.account_id, h.entitlement_id`,
    );
    inside = rows.map(({ verdict }) => wordOf(verdict));
    throw new RolledBack();
  });
  await expect(evaluateInside).rejects.toBeInstanceOf(RolledBack);
  return { outside, inside };
}

const literal = fc.constantFrom('""', '"pay"', '"Pay"', '"sub"', '"ann"');
const grammar = fc.letrec<{ bool: string; string: string }>((tie) => ({
  string: fc.oneof(
    { maxDepth: 3 },
    literal,
    fc.constantFrom('subject.department', 'subject.email', 'subject.managerId', 'subject.profile.x', 'subject.profile.y'),
    fc.constantFrom(
      'account.email',
      'account.id',
      'account.profile.x',
      'account.identityUserId',
      'task.subjectUserId',
      'task.requestorUserId',
    ),
    fc.constantFrom('entitlement.displayName', 'entitlement.alias', 'entitlement.id', 'task.analysis.id'),
    tie('string').map((of) => `${of}.lowerAscii()`),
    fc.tuple(tie('string'), tie('string')).map(([of, other]) => `${of}.ifEmpty(${other})`),
    fc.tuple(tie('bool'), tie('string'), tie('string')).map(([asked, yes, no]) => `(${asked} ? ${yes} : ${no})`),
  ),
  bool: fc.oneof(
    { maxDepth: 5, depthSize: 'large' },
    fc.constantFrom(
      'true',
      'subject != null',
      'account == null',
      'subject == null',
      'has(subject.profile.x)',
      'has(account.profile.y)',
      'subject.profile.z',
    ),
    fc.constantFrom('task.isGrantPermanent', 'task.analysis.hasConflictViolations', '"m1" in task.analysis.conflictViolations'),
    fc.constantFrom('task.createdAt <= now()', 'task.origin == TaskOrigin.ACCESS_REVIEW', 'account.appUserType == AppUserType.USER'),
    fc.constantFrom('task.grantDuration > duration("48h")', 'task.grantDuration <= duration("48h")', 'subject.profile.y > 4'),
    fc.constantFrom(
      'subject.emails.exists(e, e == account.email)',
      'subject.emails.all(e, e != entitlement.alias)',
      'account.id in account.usernames',
    ),
    tie('string').map((of) => `${of} in entitlement.complianceFrameworkValueIds`),
    tie('string').map((of) => `${of} in subject.emails`),
    fc
      .tuple(tie('string'), tie('string'), fc.constantFrom('==', '!=', '<', '>='))
      .map(([left, right, sign]) => `dyn(${left}) ${sign} ${right}`),
    fc.tuple(tie('string'), tie('string'), fc.constantFrom('==', '!=')).map(([left, right, sign]) => `${left} ${sign} ${right}`),
    fc.tuple(tie('string'), tie('string'), fc.constantFrom('contains', 'startsWith')).map(([of, part, name]) => `${of}.${name}(${part})`),
    tie('bool').map((of) => `!(${of})`),
    fc.tuple(tie('bool'), tie('bool'), fc.constantFrom('&&', '||', '==')).map(([left, right, sign]) => `((${left}) ${sign} (${right}))`),
    fc.tuple(tie('bool'), tie('bool'), tie('bool')).map(([asked, yes, no]) => `(${asked} ? ${yes} : ${no})`),
  ),
}));

describe('conditions over items', () => {
  it('give the same inside the database and outside of it', async () => {
    let translated = 0;
    let all = 0;
    await fc.assert(
      fc.asyncProperty(grammar.bool, grammar.bool, async (one, other) => {
        // With a part of each side, so that it is one over items whatever else it reads.
        const condition = `((${one}) && entitlement.id != "" && account.id != "") || (${other})`;
        fc.pre('expression' in compileExpression(condition, 'POLICY_CONDITION'));
        const { inside, outside } = await bothWays(condition);
        all++;
        if (inside !== undefined) {
          translated++;
          expect([condition, inside]).toEqual([condition, outside]);
        }
      }),
      { numRuns: tries(150, 5_000) },
    );
    expect(translated / all).toBeGreaterThan(0.3);
  });

  const anyEntitlement = (...words: readonly string[]): string[] => words.flatMap((word) => [word, word]);
  it.each([
    ['entitlement.displayName == subject.department', ['yes', 'no', 'no', 'no', 'error', 'error', 'error', 'error']],
    ['entitlement.alias == "pay" && subject.status == UserStatus.ENABLED', ['yes', 'no', 'no', 'no', 'error', 'no', 'error', 'no']],
    ['task.isGrantPermanent', ['yes', 'no', 'yes', 'no', 'yes', 'no', 'yes', 'no']],
    ['task.grantDuration > duration("48h")', ['error', 'yes', 'error', 'yes', 'error', 'error', 'error', 'yes']],
    ['task.analysis.hasConflictViolations && "m2" in task.analysis.conflictViolations', ['yes', ...Array.from({ length: 7 }, () => 'no')]],
    ['task.requestorUserId == "maker" && task.isGrantPermanent || true', anyEntitlement('yes', 'yes', 'yes', 'yes')],
    ['subject != null && account != null && entitlement.id != ""', anyEntitlement('yes', 'yes', 'no', 'no')],
    ['subject.email.trim() == entitlement.alias', undefined],
    ['c1.user.v1.HasEntitlement(subject, entitlement.appId, entitlement.id)', undefined],
  ])('say of items: %s', async (condition, expected) => {
    const { inside, outside } = await bothWays(condition);
    expect(inside).toEqual(expected === undefined ? undefined : [...expected.slice(0, 4), ...expected.slice(6), ...expected.slice(4, 6)]);
    if (expected !== undefined) {
      expect(outside).toEqual(inside);
    }
  });

  it('are looked up by their keys, however much was frozen in the same transaction', async () => {
    const many = 300;
    await test.admin('ANALYZE review_people, review_accounts, review_entitlements, review_items, review_conflict_grants');
    await inTransaction(test.ours.admin, async (context) => {
      const { db, tenantId } = context;
      // Plans that a connection keeps of the same statements, made for the few rows that there are and without a word on how.
      for (let time = 0; time < 12; time++) {
        await listFrozenItems(context, 'large', { after: firstItem }, many);
        await listFrozenAccounts(context, 'large', { after: { appId: '', id: '' } }, many);
      }
      const page = `SELECT $1, 'large', 'id' || n, `;
      const from = ` FROM generate_series(1, ${many}) n`;
      await db.run(
        `INSERT INTO review_people (tenant_id, review_id, user_id, email, department, status, display_name, username, employee_id, user_type,
           employment_status, employment_type, job_title, manager_email, profile) ${page} '', '', 'ENABLED', '', '', '', 'HUMAN', '', '', '', '', '{}'${from}`,
        [tenantId],
      );
      await db.run(
        `INSERT INTO review_accounts (tenant_id, review_id, account_id, user_id, email, account_type, app_id, external_id, account_status, profile)
           ${page} 'id' || n, '', 'USER', 'app', 'id' || n, 'ENABLED', '{}'${from}`,
        [tenantId],
      );
      await db.run(
        `INSERT INTO review_entitlements (tenant_id, review_id, entitlement_id, display_name, app_id, app_display_name, resource_type_id,
           resource_type_display_name, resource_id, resource_display_name, description, policy_id)
           ${page} '', 'app', 'App', 'T', 'Type', 'R', 'Res', '', 'P'${from}`,
        [tenantId],
      );
      await db.run(`INSERT INTO review_items (tenant_id, review_id, account_id, app_id, entitlement_id) ${page} 'app', 'id' || n${from}`, [
        tenantId,
      ]);
      const read = () =>
        db.one<{ rows: number }>(
          `SELECT sum(idx_tup_fetch + seq_tup_read)::int AS rows FROM pg_stat_xact_user_tables
             WHERE relname IN ('review_people', 'review_accounts', 'review_entitlements')`,
        );
      await setPagesByKey(context);
      const before = await read();
      expect(await listFrozenItems(context, 'large', { after: firstItem }, many)).toHaveLength(many);
      const items = (await read()).rows - before.rows;
      expect(await listFrozenAccounts(context, 'large', { after: { appId: '', id: '' } }, many)).toHaveLength(many);
      const accounts = (await read()).rows - before.rows - items;
      expect([items <= 4 * many, accounts <= 3 * many]).toEqual([true, true]);
      throw new Error('nothing is kept');
    }).catch((error: Error) => expect(error.message).toBe('nothing is kept'));
  });
});
