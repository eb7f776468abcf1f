/** Owner of an account: every rule, finding nobody, one and several, in every order. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson } from '../../../test/support/identity.ts';
import { genericPlanOf, textPlanOf } from '../../../test/support/plans.ts';
import { useTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import { type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { getMatchSql, type MatchRule } from './store-match.ts';

let test: TwoTenants;
beforeAll(async () => {
  test = await useTwoTenants();
});
afterAll(() => test.close());

const keys = {
  emailKey: sql`address_key(k.email)`,
  employeeId: sql`k.employee_id`,
  usernameKey: sql`address_key(CASE WHEN k.username <> '' THEN k.username ELSE k.external_id END)`,
};

interface Account {
  email?: string | null;
  employeeId?: string | null;
  username?: string | null;
  externalId?: string;
}

/** Matches accounts as a statement over rows does. */
function match(context: Context, account: Account, order: readonly MatchRule[]): Promise<{ userId: string | null; matchCount: number }> {
  const { joins, userId, matchCount } = getMatchSql(context.tenantId, keys, sql`${order}::text[]`);
  const { email = '', employeeId = '', username = '', externalId = 'nothing' } = account;
  return context.db.one(
    sql`SELECT ${userId} AS "userId", ${matchCount} AS "matchCount"
     FROM (SELECT ${email}::text AS email, ${employeeId}::text COLLATE "C" AS employee_id, ${username}::text AS username,
       ${externalId}::text COLLATE "C" AS external_id) AS k ${joins}`,
  );
}

const orders: MatchRule[][] = [
  ['EMAIL', 'EMPLOYEE_ID', 'USERNAME'],
  ['EMAIL', 'USERNAME', 'EMPLOYEE_ID'],
  ['EMPLOYEE_ID', 'EMAIL', 'USERNAME'],
  ['EMPLOYEE_ID', 'USERNAME', 'EMAIL'],
  ['USERNAME', 'EMAIL', 'EMPLOYEE_ID'],
  ['USERNAME', 'EMPLOYEE_ID', 'EMAIL'],
  ['EMAIL', 'EMPLOYEE_ID'],
  ['EMPLOYEE_ID', 'EMAIL'],
  ['USERNAME', 'EMAIL'],
  ['EMAIL'],
  ['EMPLOYEE_ID'],
  ['USERNAME'],
  [],
];
const found = { none: 0, one: 1, several: 2 } as const;
type Found = keyof typeof found;
const outcomes = Object.keys(found) as Found[];

describe('an account', () => {
  const ids: Record<MatchRule, string> = { EMAIL: '', EMPLOYEE_ID: '', USERNAME: '' };
  beforeAll(async () => {
    const { system } = test.ours;
    ids.EMAIL = await addPerson(system, { email: 'Mail@x.example' });
    ids.EMPLOYEE_ID = await addPerson(system, { employeeId: 'E-1' });
    ids.USERNAME = await addPerson(system, { username: 'Jörg' });
    for (const _ of [1, 2]) {
      await addPerson(system, { employeeId: 'E-2', username: 'Twins' });
    }
    // Theirs would make each of the above ambiguous.
    await addPerson(test.theirs.system, { email: 'mail@x.example', employeeId: 'E-1', username: 'jörg' });
  });
  const values: Record<MatchRule, Record<Found, string>> = {
    // An address is one person's: several cannot be.
    EMAIL: { none: 'nobody@x.example', one: 'MAIL@X.example', several: '' },
    EMPLOYEE_ID: { none: 'E-9', one: 'E-1', several: 'E-2' },
    USERNAME: { none: 'nobody', one: 'JÖRG', several: 'tWINS' },
  };

  it.each(orders.map((order) => [order.join(' > ') || 'no rule', order] as const))('is matched by %s', async (_, order) => {
    for (const byEmail of ['none', 'one'] as const) {
      for (const byEmployeeId of outcomes) {
        for (const byUsername of outcomes) {
          const what: Record<MatchRule, Found> = { EMAIL: byEmail, EMPLOYEE_ID: byEmployeeId, USERNAME: byUsername };
          const account = {
            email: values.EMAIL[byEmail],
            employeeId: values.EMPLOYEE_ID[byEmployeeId],
            username: values.USERNAME[byUsername],
          };
          const deciding = order.find((rule) => what[rule] !== 'none');
          const matchCount = deciding === undefined ? 0 : found[what[deciding]];
          const userId = deciding !== undefined && matchCount === 1 ? ids[deciding] : null;
          expect(await match(test.ours.system, account, order), JSON.stringify(what)).toEqual({ userId, matchCount });
        }
      }
    }
  });

  it('without a user name is matched by its name in the source, and one with a user name is not', async () => {
    const { system } = test.ours;
    expect(await match(system, { externalId: 'JÖRG' }, ['USERNAME'])).toEqual({ userId: ids.USERNAME, matchCount: 1 });
    expect(await match(system, { externalId: 'jörg', username: null }, ['USERNAME'])).toEqual({ userId: ids.USERNAME, matchCount: 1 });
    expect(await match(system, { externalId: 'jörg', username: 'other' }, ['USERNAME'])).toEqual({ userId: null, matchCount: 0 });
  });

  it('that says nothing of itself matches nobody, though people without an address or a number are there', async () => {
    const nothing = { userId: null, matchCount: 0 };
    expect(await match(test.ours.system, {}, orders[0] ?? [])).toEqual(nothing);
    expect(await match(test.ours.system, { email: null, employeeId: null, username: null }, orders[0] ?? [])).toEqual(nothing);
  });

  it('is matched to people who left, but neither to deleted ones nor to service principals', async () => {
    const { system } = test.ours;
    const left = await addPerson(system, { employeeId: 'L-1', status: 'DISABLED' });
    await addPerson(system, { employeeId: 'L-1', status: 'DELETED' });
    await addPerson(system, { employeeId: 'L-1', type: 'SERVICE' });
    await addPerson(system, { email: 'gone@x.example', status: 'DELETED' });
    expect(await match(system, { employeeId: 'L-1' }, ['EMPLOYEE_ID'])).toEqual({ userId: left, matchCount: 1 });
    expect(await match(system, { email: 'gone@x.example' }, ['EMAIL'])).toEqual({ userId: null, matchCount: 0 });
  });

  it('has a number that is compared as it is written', async () => {
    expect(await match(test.ours.system, { employeeId: 'e-1' }, ['EMPLOYEE_ID'])).toEqual({ userId: null, matchCount: 0 });
  });
});

it('takes one pass over the people however many accounts there are, and an index where there is one account', async () => {
  const { system } = test.theirs;
  await system.db.run(
    `INSERT INTO users (tenant_id, id, email, email_key, employee_id, username, created_at, updated_at)
     SELECT $1, 'person-' || n, n || '@y.example', n || '@y.example', 'N-' || n, 'user' || n, $2, $2 FROM generate_series(1, 5000) AS n`,
    [system.tenantId, system.now],
  );
  await test.admin('ANALYZE users');
  const select = (keysOf: typeof keys, from: Sql): Sql => {
    const { joins, userId, matchCount } = getMatchSql(system.tenantId, keysOf, sql`'{EMAIL,EMPLOYEE_ID,USERNAME}'::text[]`);
    return sql`SELECT ${userId}, ${matchCount} FROM ${from} ${joins}`;
  };
  const many = await textPlanOf(
    system,
    'COSTS',
    select(
      keys,
      sql`(SELECT n::text AS email, n::text AS employee_id, n::text AS username, n::text AS external_id
    FROM generate_series(1, 100000) AS n) AS k`,
    ),
  );
  expect(many.match(/(?:Hash|Merge) .*Join/g), many).toHaveLength(3);
  const value = sql`${'a value'}::text`;
  const one = await genericPlanOf(system, select({ emailKey: value, employeeId: value, usernameKey: value }, sql`(SELECT 1) AS k`));
  expect(one).toContain('users_by_email');
  expect(one).toContain('users_by_employee_id');
  expect(one).toContain('users_by_username');
  expect(one).not.toContain('Seq Scan');
});
