/** Whoever disables somebody, beside whoever gives them something at the same moment; and what it costs where nothing is suspended. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TwoTenants, useTwoTenants } from '../../../test/support/tenants.ts';
import { untilWaiting } from '../../../test/support/until.ts';
import { type Context, inTransaction } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import { createCredential } from '../credentials/index.ts';
import { createUser } from './create-user.ts';
import { ROLES } from './roles.ts';
import { setDelegation } from './set-delegation.ts';
import { setRoles } from './set-roles.ts';
import { insertPeople, updateDisabledPeople } from './store-people.ts';
import { lockRoles } from './store-roles.ts';

let test: TwoTenants;
let counter = 0;
beforeAll(async () => {
  test = await useTwoTenants();
});
afterAll(() => test.close());

const makePerson = (...roles: Parameters<typeof createUser>[1]['roles']): Promise<string> =>
  createUser(test.ours.system, { email: `p${++counter}@ours.example`, displayName: `p${counter}`, roles });
const disable = async (context: Context, ids: readonly string[]): Promise<void> => {
  await lockRoles(context);
  await updateDisabledPeople(context, sql`u.id = ANY (${ids})`);
};
const suspendedOf = async (id: string): Promise<string[]> =>
  (await test.admin('SELECT kind FROM suspensions WHERE user_id = $1 ORDER BY kind', [id])).map(({ kind }) => String(kind));

/** Begins the first, and the second while the first is not committed; returns why the second was refused. */
async function beside(first: (context: Context) => Promise<unknown>, second: (context: Context) => Promise<unknown>): Promise<string> {
  let later: Promise<string> = Promise.resolve('');
  await inTransaction(test.ours.admin, async (inside) => {
    await first(inside);
    later = inTransaction(test.ours.admin, second).then(
      () => '',
      (error: unknown) => (error as { code: string }).code,
    );
    await untilWaiting(test);
  });
  return later;
}

const gifts: Readonly<Record<string, (id: string, other: string) => (context: Context) => Promise<unknown>>> = {
  'a role': (id) => (context) => setRoles(context, id, [ROLES.CAMPAIGN_ADMINISTRATOR.id]),
  'a credential': (id) => (context) =>
    createCredential({ ...context, actor: test.ours.system.actor }, { userId: id, displayName: 'x', secretLabel: 'x' }),
  'a delegate': (id, other) => (context) => setDelegation(context, { userId: id, delegatedUserId: other, startsAt: null, expiresAt: null }),
  'to be a delegate': (id, other) => (context) =>
    setDelegation(context, { userId: other, delegatedUserId: id, startsAt: null, expiresAt: null }),
};

describe('whoever is disabled while somebody gives them', () => {
  it.each(Object.keys(gifts))('%s, holds none of it', async (name) => {
    const gift = gifts[name] as (typeof gifts)[string];
    const [id, other] = [await makePerson(), await makePerson()];
    expect(await beside(gift(id, other), (context) => disable(context, [id]))).toBe('');
    expect(await suspendedOf(id)).toHaveLength(1);
    const [late, another] = [await makePerson(), await makePerson()];
    expect(await beside((context) => disable(context, [late]), gift(late, another))).toBe('FAILED_PRECONDITION');
    expect(await suspendedOf(late)).toEqual([]);
    for (const table of ['user_roles', 'delegations']) {
      expect(await test.admin(`SELECT FROM ${table} WHERE user_id = ANY ($1)`, [[id, late]])).toEqual([]);
    }
  });
});

describe('the last Super Administrator', () => {
  it('stays enabled where two are disabled at once, each by somebody who sees the other', async () => {
    const second = await makePerson('SUPER_ADMINISTRATOR');
    const plain = (id: string) => (context: Context) => updateDisabledPeople(context, sql`u.id = ${id}`);
    expect(await beside(plain(second), plain(test.ours.adminId))).toBe('FAILED_PRECONDITION');
    expect(await suspendedOf(second)).toEqual(['ROLE']);
    expect(await suspendedOf(test.ours.adminId)).toEqual([]);
  });
});

describe('many', () => {
  it('are suspended in as many statements as one is, with an event each', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 40; count++) {
      ids.push(await makePerson('READ_ONLY_ADMINISTRATOR'));
    }
    const statements = async (people: readonly string[]): Promise<number> => {
      let count = 0;
      await inTransaction(test.ours.admin, async (inside) => {
        const counted = new Proxy(inside.db, {
          get: (db, name) => {
            const found = Reflect.get(db, name) as unknown;
            const counting = (...given: unknown[]): unknown => {
              count++;
              return Reflect.apply(found as (...all: unknown[]) => unknown, db, given);
            };
            return typeof found === 'function' ? counting : found;
          },
        });
        await updateDisabledPeople({ ...inside, db: counted }, sql`u.id = ANY (${people})`);
      });
      return count;
    };
    const alone = await statements([await makePerson('READ_ONLY_ADMINISTRATOR')]);
    expect(await statements(ids)).toBe(alone);
    expect(await statements([await makePerson()])).toBeLessThan(alone);
    const rows = await test.admin(`SELECT target_id FROM events WHERE kind = 'user.suspended' AND target_id = ANY ($1)`, [ids]);
    expect(rows).toHaveLength(ids.length);
  });
});

describe('a session that changed single people', () => {
  it('changes thousands at once without holding them against each other one by one', async () => {
    const { system } = test.ours;
    const rename = (context: Context, name: string, first: number, last: number): Promise<number> =>
      context.db.run(
        sql`UPDATE users SET display_name = ${name} || display_name WHERE tenant_id = ${context.tenantId}
          AND id IN (SELECT 'many' || lpad(n::text, 23, '0') FROM generate_series(${first}::int, ${last}::int) AS n)`,
      );
    await inTransaction(system, async (inside) => {
      await insertPeople(
        inside,
        sql`SELECT 'many' || lpad(n::text, 23, '0') AS id, 'm' || n || '@ours.example' AS email, 'm' || n || '@ours.example' AS email_key,
            'Many ' || n AS display_name, 'ENABLED' AS status, '' AS employment_status, '' AS department, '' AS job_title, '' AS username,
            '' AS employee_id, '' AS external_id, '' AS employment_type, NULL::text AS manager_id, '{}'::jsonb AS profile, '' AS source
          FROM generate_series(1, 6000) AS n`,
      );
      for (let n = 1; n <= 6; n++) {
        expect(await rename(inside, 'x', n, n)).toBe(1);
      }
      // The server's own limit for a statement ends what is quadratic.
      expect(await rename(inside, 'y', 1, 6000)).toBe(6000);
    });
  });
});
