/** Owner of an account: every rule, finding nobody, one and several, in every order. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson, addSourcedApp, moveAddress, putRecord } from '../../../test/support/identity.ts';
import { genericPlanOf, nodesOf, planOf } from '../../../test/support/plans.ts';
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

  it('is matched to whoever has a user name or an employee id by now, and not to those who left', async () => {
    const { system } = test.ours;
    const left = await addPerson(system, { employeeId: 'J-1', username: 'again', status: 'DISABLED' });
    const joiner = await addPerson(system, { employeeId: 'J-1', username: 'again' });
    for (const account of [{ employeeId: 'J-1' }, { username: 'again' }]) {
      expect(await match(system, account, ['EMPLOYEE_ID', 'USERNAME'])).toEqual({ userId: joiner, matchCount: 1 });
    }
    // A record that is there says it still.
    await putRecord(system, left, { username: 'again' });
    expect(await match(system, { username: 'again' }, ['USERNAME'])).toEqual({ userId: null, matchCount: 2 });
    await system.db.run(`UPDATE person_records SET state = 'GONE' WHERE tenant_id = $1 AND user_id = $2`, [system.tenantId, left]);
    expect(await match(system, { username: 'again' }, ['USERNAME'])).toEqual({ userId: joiner, matchCount: 1 });
    const { connectorIds } = await addSourcedApp(system, 'Deleted');
    const record = await putRecord(system, joiner, { employeeId: 'J-2' });
    await system.db.run('UPDATE person_records SET source_id = $3 WHERE tenant_id = $1 AND id = $2', [
      system.tenantId,
      record,
      connectorIds[0],
    ]);
    expect(await match(system, { employeeId: 'J-2' }, ['EMPLOYEE_ID'])).toEqual({ userId: joiner, matchCount: 1 });
    await system.db.run('UPDATE sources SET deleted_at = $3 WHERE tenant_id = $1 AND id = $2', [
      system.tenantId,
      connectorIds[0],
      system.now,
    ]);
    expect(await match(system, { employeeId: 'J-2' }, ['EMPLOYEE_ID'])).toEqual({ userId: null, matchCount: 0 });
  });

  describe('under an address that somebody had before', () => {
    const byMail = async (email: string, more: Account = {}): Promise<unknown> => {
      const { joins, userId, byFormerAddress } = getMatchSql(test.ours.system.tenantId, keys, sql`'{EMAIL,EMPLOYEE_ID}'::text[]`);
      const row = await test.ours.system.db.one<{ userId: string | null; byFormerAddress: boolean }>(
        sql`SELECT ${userId} AS "userId", ${byFormerAddress} AS "byFormerAddress" FROM (SELECT ${email}::text AS email,
          ${more.employeeId ?? ''}::text COLLATE "C" AS employee_id, '' AS username, 'nothing' COLLATE "C" AS external_id) AS k ${joins}`,
      );
      return [row.userId, row.byFormerAddress];
    };

    it('is theirs, and says so, while nobody else has it, or had it', async () => {
      const { system } = test.ours;
      const one = await addPerson(system, { email: 'before@f.example' });
      await moveAddress(system, one, 'between@f.example');
      await moveAddress(system, one, 'now@f.example');
      expect(await byMail('Before@f.example')).toEqual([one, true]);
      expect(await byMail('between@f.example')).toEqual([one, true]);
      expect(await byMail('now@f.example')).toEqual([one, false]);
      const other = await addPerson(system, { email: 'before@f.example', employeeId: 'F-2' });
      expect(await byMail('before@f.example')).toEqual([other, false]);
      await moveAddress(system, other, '');
      expect(await byMail('before@f.example')).toEqual([null, false]);
      expect(await byMail('before@f.example', { employeeId: 'F-2' })).toEqual([other, false]);
      await moveAddress(system, one, 'before@f.example');
      expect(await byMail('before@f.example')).toEqual([one, false]);
    });

    it.each(['DELETED', 'SERVICE'])('is nobody’s where somebody has it who owns nothing: %s', async (what) => {
      const { system } = test.ours;
      const email = `${what.toLowerCase()}@f.example`;
      const one = await addPerson(system, { email });
      await moveAddress(system, one, `moved-${email}`);
      expect(await byMail(email)).toEqual([one, true]);
      await addPerson(system, { email, ...(what === 'DELETED' ? { status: 'DELETED' } : { type: 'SERVICE' }) });
      expect(await byMail(email)).toEqual([null, false]);
    });

    it('is nobody’s where one of two who had it was deleted', async () => {
      const { system } = test.ours;
      const gone = await addPerson(system, { email: 'gone-before@f.example' });
      await moveAddress(system, gone, '');
      await system.db.run(`UPDATE users SET status = 'DELETED' WHERE tenant_id = $1 AND id = $2`, [system.tenantId, gone]);
      expect(await byMail('gone-before@f.example')).toEqual([null, false]);
      const one = await addPerson(system, { email: 'gone-before@f.example' });
      await moveAddress(system, one, '');
      expect(await byMail('gone-before@f.example')).toEqual([null, false]);
    });
  });

  describe('that a second record names', () => {
    const all: readonly MatchRule[] = ['EMAIL', 'EMPLOYEE_ID', 'USERNAME'];

    it('is the person’s by each of its keys while it is live, and heard', async () => {
      const { system } = test.ours;
      const one = await addPerson(system, { email: 'r@r.example', employeeId: 'R-1', username: 'r' });
      const said = { email: 'R2@r.example', employeeId: 'R-2', username: 'R2' };
      const byEach = async (): Promise<unknown[]> =>
        (
          await Promise.all([{ email: 'r2@R.example' }, { employeeId: 'R-2' }, { externalId: 'r2' }].map((key) => match(system, key, all)))
        ).map(({ userId }) => userId);
      expect(await byEach()).toEqual([null, null, null]);
      const id = await putRecord(system, one, said);
      await putRecord(system, one, { email: 'r@r.example', employeeId: 'R-1', username: 'R' });
      // Two records that say the same are one person's.
      await putRecord(system, one, said);
      expect(await byEach()).toEqual([one, one, one]);
      expect(await match(system, { employeeId: 'R-1' }, all)).toEqual({ userId: one, matchCount: 1 });
      await system.db.run(`UPDATE person_records SET state = 'GONE' WHERE tenant_id = $1 AND id <> $2`, [system.tenantId, id]);
      expect(await byEach()).toEqual([one, one, one]);
      await putRecord(system, one, { ...said, isHeard: false }, id);
      expect(await byEach()).toEqual([null, null, null]);
      await putRecord(system, one, { ...said, state: 'GONE' }, id);
      expect(await byEach()).toEqual([null, null, null]);
    });

    it('is ambiguous where two people are called so, and no one’s by an address of two records', async () => {
      const { system } = test.ours;
      const [one, two] = [await addPerson(system, { employeeId: 'Q-1' }), await addPerson(system, { employeeId: 'Q-2' })];
      await putRecord(system, one, { email: 'q@q.example', employeeId: 'Q-2' });
      expect(await match(system, { employeeId: 'Q-2' }, all)).toEqual({ userId: null, matchCount: 2 });
      expect(await match(system, { email: 'q@q.example' }, all)).toEqual({ userId: one, matchCount: 1 });
      const id = await putRecord(system, two, { email: 'q@q.example' });
      expect(await match(system, { email: 'q@q.example' }, all)).toEqual({ userId: null, matchCount: 0 });
      await putRecord(system, two, {}, id);
      // What a record says now is before what somebody else had.
      await moveAddress(system, two, 'q@q.example');
      expect(await match(system, { email: 'q@q.example' }, all)).toEqual({ userId: two, matchCount: 1 });
      await moveAddress(system, two, '');
      expect(await match(system, { email: 'q@q.example' }, all)).toEqual({ userId: one, matchCount: 1 });
    });
  });

  it('has a number that is compared as it is written', async () => {
    expect(await match(test.ours.system, { employeeId: 'e-1' }, ['EMPLOYEE_ID'])).toEqual({ userId: null, matchCount: 0 });
  });
});

/** Steps that read something from its beginning for each row of something else. */
const loopsOf = (plan: Awaited<ReturnType<typeof planOf>>): string[] =>
  nodesOf(plan)
    .filter((node) => node['Actual Loops'] > 10 && ['Seq Scan', 'Materialize', 'Subquery Scan', 'CTE Scan'].includes(node['Node Type']))
    .map((node) => `${node['Node Type']} ${node['Relation Name'] ?? ''} x ${node['Actual Loops']}`);

it('takes one pass over the people however many accounts there are, and an index where there is one account', async () => {
  const { system } = test.theirs;
  const people = 10_000;
  await system.db.run(
    `INSERT INTO users (tenant_id, id, email, email_key, employee_id, username, created_at, updated_at)
     SELECT $1, 'person-' || n, n || '@y.example', n || '@y.example', 'N-' || n, 'user' || n, $2, $2 FROM generate_series(1, $3::integer) AS n`,
    [system.tenantId, system.now, people],
  );
  await test.admin('ANALYZE users');
  const select = (keysOf: typeof keys, from: Sql): Sql => {
    const { joins, userId, matchCount, byFormerAddress } = getMatchSql(
      system.tenantId,
      keysOf,
      sql`'{EMAIL,EMPLOYEE_ID,USERNAME}'::text[]`,
    );
    return sql`SELECT ${userId}, ${matchCount}, ${byFormerAddress} FROM ${from} ${joins}`;
  };
  const many = sql`(SELECT n || '@y.example' AS email, 'N-' || n AS employee_id, 'adm-' || n AS username, n::text AS external_id
    FROM generate_series(1, 40000) AS n) AS k`;
  expect(loopsOf(await planOf(system, select(keys, many)))).toEqual([]);
  // Of what came in just now the planner knows nothing yet.
  await system.db.run(
    `INSERT INTO person_records (tenant_id, id, source_id, anchor_kind, anchor, user_id, email, email_key, username, employee_id, first_seen_at, changed_at)
     SELECT $1, k || '-' || n, k, 'SCIM_ID', n, 'person-' || n, n || '@' || k, n || '@' || k, 'adm-' || n, k || '-' || n, $2, $2
     FROM generate_series(1, $3::integer) AS n, (VALUES ('one'), ('two')) AS s (k)`,
    [system.tenantId, system.now, people],
  );
  await system.db.run(
    `INSERT INTO former_words (tenant_id, user_id, valid_until, display_name, email, email_key, employee_id)
     SELECT $1, 'person-' || n, $2, '', 'old' || n || '@y.example', 'old' || n || '@y.example', '' FROM generate_series(1, $3::integer) AS n`,
    [system.tenantId, system.now, people],
  );
  expect(loopsOf(await planOf(system, select(keys, many)))).toEqual([]);
  await test.admin('ANALYZE person_records, former_words');
  expect(loopsOf(await planOf(system, select(keys, many)))).toEqual([]);
  const value = sql`${'a value'}::text`;
  const one = await genericPlanOf(system, select({ emailKey: value, employeeId: value, usernameKey: value }, sql`(SELECT 1) AS k`));
  for (const index of [
    'users_by_email',
    'users_by_employee_id',
    'users_by_username',
    'person_records_by_email',
    'person_records_by_employee_id',
    'person_records_by_username',
    'former_words_by_email',
  ]) {
    expect(one).toContain(index);
  }
  expect(one).not.toContain('Seq Scan');
});
