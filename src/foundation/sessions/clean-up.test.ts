/** Remains of signing in: sessions that are over are ended with their reason, and what ended goes after a month. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import { type Context, inTransaction } from '../../context.ts';
import { findUser, type UserRow } from '../directory/index.ts';
import { cleanUpSignIns, isSignInCleanUpDue } from './clean-up.ts';
import { printLink } from './links/sign-in-links.ts';
import { startSession } from './session/start-session.ts';
import { insertState } from './sign-in/store-states.ts';
import { hashSecret, makeSecret } from './session/token.ts';

describe('cleaning up', () => {
  let two: TwoTenants;
  let user: UserRow;
  const start = new Date('2026-06-01T08:00:00Z');
  const at = (hours: number): Context => ({ ...two.ours.system, now: new Date(start.getTime() + hours * 3_600_000) });
  const begin = (hours: number) =>
    inTransaction(at(hours), (inside) =>
      startSession(inside, { user, issuerId: '', how: 'LINK', provider: { id: '', displayName: '' }, browser: '' }),
    );
  const clean = (hours: number): Promise<number> => inTransaction(at(hours), cleanUpSignIns);
  const count = async (table: string): Promise<number> => {
    const [row] = await two.admin(`SELECT count(*)::int AS n FROM countersign.${table} WHERE tenant_id = $1`, [two.ours.tenant.id]);
    return Number(row?.n);
  };
  const reasons = async (): Promise<unknown[]> =>
    (await two.admin("SELECT data->>'why' AS why FROM countersign.events WHERE kind = 'session.ended' ORDER BY id")).map(({ why }) => why);

  beforeAll(async () => {
    two = await useTwoTenants();
    const found = await findUser(two.ours.system, two.ours.basicId);
    if (found === undefined) {
      throw new Error('nobody is there');
    }
    user = found;
  });
  afterAll(() => two.close());

  it('ends what is over, and leaves what lives', async () => {
    const { id } = await begin(0);
    await begin(0);
    expect([await isSignInCleanUpDue(at(0.4)), await clean(0.4)]).toEqual([false, 0]);
    await two.admin('UPDATE countersign.sessions SET last_used_at = $2 WHERE id = $1', [id, at(11.9).now]);
    expect([await isSignInCleanUpDue(at(1)), await clean(1)]).toEqual([true, 1]);
    expect([await isSignInCleanUpDue(at(11.9)), await clean(11.9)]).toEqual([false, 0]);
    expect(await clean(12)).toBe(1);
    expect(await reasons()).toEqual(['idle', 'expired']);
  });

  it('removes after a month what ended, with links, and sign-ins at once', async () => {
    await printLink(at(12), user.id);
    await insertState(at(12), {
      ...{ stateHash: hashSecret(makeSecret()), browserHash: hashSecret('x'), authConfigId: 'x', nonce: '', codeVerifier: '', toPath: '/' },
      expiresAt: at(12.1).now,
      freshSince: null,
    });
    expect([await isSignInCleanUpDue(at(12.05)), await clean(12.05)]).toEqual([false, 0]);
    expect([await clean(12.1), await count('sign_in_states')]).toEqual([1, 0]);
    const month = 30 * 24;
    expect([await isSignInCleanUpDue(at(month)), await count('sessions'), await count('sign_in_links')]).toEqual([false, 2, 1]);
    expect([await clean(month + 13), await count('sessions'), await count('sign_in_links')]).toEqual([3, 0, 0]);
    expect(await isSignInCleanUpDue(at(month + 13))).toBe(false);
  });
});
