/** Access tokens while they live: what they stand for, when they end, and how soon a change acts, also in another process. */
import { describe, expect, it } from 'vitest';
import { origin, secretLabel, useTokens } from '../../../../test/support/token-test.ts';
import { until } from '../../../../test/support/until.ts';
import type { Context } from '../../../context.ts';
import { ROLES } from '../../directory/index.ts';
import { setRoles } from '../../directory/set-roles.ts';
import { type CreatedCredential, issueCredential } from '../clients/create-credential.ts';
import type { IssuedToken } from './issue-token.ts';
import { changeCredential, revokeCredential } from '../clients/manage-credentials.ts';
import { createPrincipal } from '../clients/manage-principals.ts';
import { createPrincipalCredential } from '../clients/principal-credentials.ts';

const t = useTokens();
const { at, check, issue, make, move, openTokens, tokenOf } = t;

describe('access tokens', () => {
  it('end after their life and 5 s, which a request may be on its way', async () => {
    const token = await tokenOf(await make());
    move(3600);
    expect(await check(token)).toMatchObject({ kind: 'credential' });
    move(4);
    expect(await check(token)).toMatchObject({ kind: 'credential' });
    move(1);
    expect(await check(token)).toBe('expired');
    expect(await check(token)).toBe('expired');
  });

  it('have no leeway beyond the end of their credential', async () => {
    const mine = await make(t.two.ours.basic, { expiresInSeconds: 2_592_000 });
    move(2_592_000 - 60);
    const token = await tokenOf(mine);
    move(59);
    expect(await check(token)).toMatchObject({ kind: 'credential' });
    move(1);
    expect(await check(token)).toBe('revoked');
  });

  it('are not valid in another tenant, also once they were good in theirs', async () => {
    const token = await tokenOf(await make());
    expect(await check(token, t.tokens, t.two.theirs.tenant)).toBe('invalid');
    expect(await check(token)).toMatchObject({ kind: 'credential' });
    expect(await check(token, t.tokens, t.two.theirs.tenant)).toBe('invalid');
  });

  it('know who made the program that made the program, and who made what it issued', async () => {
    const { admin, adminId, basicId } = t.two.ours;
    const principal = async (context: Context) => {
      const { id } = await createPrincipal(context, 'Program');
      await setRoles(at(admin), id, [ROLES.SUPER_ADMINISTRATOR.id]);
      const input = {
        principalId: id,
        displayName: 'k',
        allowSourceCidrs: [],
        expiresInSeconds: undefined,
        requireDpop: false,
        scopedRoles: [],
      };
      return createPrincipalCredential(context, { ...input, secretLabel });
    };
    const through = async (credential: CreatedCredential): Promise<Context> => ({
      ...at(admin),
      actor: (await check(await tokenOf(credential))) as Context['actor'],
    });
    const first = await principal(at(admin));
    const second = await principal(await through(first));
    const issued = await issueCredential(await through(second), { userId: basicId, displayName: 'k', secretLabel });
    expect((await through(second)).actor.makerIds?.toSorted()).toEqual([adminId, first.row.userId].toSorted());
    expect((await through(issued)).actor.makerIds).toEqual(expect.arrayContaining([adminId, first.row.userId, second.row.userId]));
    expect((await through(await make())).actor.makerIds).toBeUndefined();
  });

  it('are not valid when anything was changed', async () => {
    const token = await tokenOf(await make());
    const [head, body, signature] = token.split('.');
    const claims = JSON.parse(Buffer.from(body ?? '', 'base64url').toString()) as object;
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: t.two.ours.adminId })).toString('base64url');
    expect(await check(`${head}.${forged}.${signature}`)).toBe('invalid');
    expect(await check('nonsense')).toBe('invalid');
    expect(await check('')).toBe('invalid');
  });

  it.each([
    ['revoked', (of: CreatedCredential) => revokeCredential(at(t.two.ours.basic), of.row.id), undefined],
    [
      'its owner disabled',
      () => t.two.admin(`UPDATE users SET status = 'DISABLED' WHERE id = $1`, [t.two.ours.basicId]),
      `UPDATE users SET status = 'ENABLED'`,
    ],
    [
      'its owner deleted',
      () => t.two.admin(`UPDATE users SET status = 'DELETED' WHERE id = $1`, [t.two.ours.basicId]),
      `UPDATE users SET status = 'ENABLED'`,
    ],
    [
      'its tenant deleted',
      () => t.two.admin(`UPDATE tenants SET deleted_at = now() WHERE tenant_id = $1`, [t.two.ours.tenant.id]),
      'UPDATE tenants SET deleted_at = NULL',
    ],
  ])('stop within 5 s in every process when the credential is %s', async (_what, change, undo) => {
    const mine = await make();
    const token = await tokenOf(mine);
    const elsewhere = openTokens();
    expect(await check(token, elsewhere)).toMatchObject({ kind: 'credential' });
    await change(mine);
    move(4);
    expect(await check(token)).toBe('revoked');
    expect(await check(token, elsewhere)).toBe('revoked');
    if (undo !== undefined) {
      await t.two.admin(undo);
    }
    await elsewhere.close();
  });

  it('follow the roles of their owner, narrowed by the credential', async () => {
    const roles = async (token: string) => {
      const actor = await check(token);
      return typeof actor === 'string' ? actor : [...actor.roles].sort();
    };
    await setRoles(at(t.two.ours.admin), t.two.ours.basicId, [ROLES.CAMPAIGN_ADMINISTRATOR.id, ROLES.READ_ONLY_ADMINISTRATOR.id]);
    const owner: Context = {
      ...t.two.ours.basic,
      actor: { ...t.two.ours.basic.actor, roles: new Set(['BASIC_USER', 'CAMPAIGN_ADMINISTRATOR', 'READ_ONLY_ADMINISTRATOR']) },
    };
    const all = await tokenOf(await make(owner));
    const narrow = await make(owner, { scopedRoles: [ROLES.CAMPAIGN_ADMINISTRATOR.id] });
    const narrowToken = await tokenOf(narrow);
    const basic = await tokenOf(await make(owner, { scopedRoles: [ROLES.BASIC_USER.id] }));
    expect(await roles(all)).toEqual(['BASIC_USER', 'CAMPAIGN_ADMINISTRATOR', 'READ_ONLY_ADMINISTRATOR']);
    expect(await roles(narrowToken)).toEqual(['CAMPAIGN_ADMINISTRATOR']);
    expect(await roles(basic)).toEqual(['BASIC_USER']);
    await setRoles(at(t.two.ours.admin), t.two.ours.basicId, []);
    move(4);
    expect(await roles(all)).toEqual(['BASIC_USER']);
    // Narrowed to what is gone is nothing, never everything.
    expect(await roles(narrowToken)).toEqual([]);
  });

  it('name the issuer and hold Basic User only when somebody else made the credential', async () => {
    await setRoles(at(t.two.ours.admin), t.two.ours.basicId, [ROLES.READ_ONLY_ADMINISTRATOR.id]);
    const issued = await issueCredential(at(t.two.ours.admin), { displayName: 'i', userId: t.two.ours.basicId, secretLabel });
    expect(await check(await tokenOf(issued))).toMatchObject({
      userId: t.two.ours.basicId,
      issuerId: t.two.ours.adminId,
      roles: new Set(['BASIC_USER']),
    });
    await setRoles(at(t.two.ours.admin), t.two.ours.basicId, []);
  });

  it('of what was issued answer as the tenant says, by default only where no mail leaves the installation', async () => {
    const issued = await issueCredential(at(t.two.ours.admin), { displayName: 'i', userId: t.two.ours.basicId, secretLabel });
    const token = await tokenOf(issued);
    const mailing = openTokens({ mailsLinks: true });
    const answers = async () => [await check(token), await check(token, mailing)];
    try {
      expect(await answers()).toMatchObject([{ issuedMayAnswer: true }, { issuedMayAnswer: false }]);
      for (const [setting, may] of [
        ['ALWAYS', true],
        ['NEVER', false],
      ] as const) {
        await t.two.admin('UPDATE tenants SET issued_answers = $1', [setting]);
        move(5);
        expect(await answers()).toMatchObject([{ issuedMayAnswer: may }, { issuedMayAnswer: may }]);
      }
    } finally {
      await t.two.admin(`UPDATE tenants SET issued_answers = 'WITHOUT_OTHER_SIGN_IN'`);
      mailing.close();
    }
  });

  it('follow changes of the addresses', async () => {
    const mine = await make();
    const token = await tokenOf(mine);
    await changeCredential(at(t.two.ours.basic), mine.row.id, { allowSourceCidr: ['10.0.0.0/8'] }, undefined);
    move(4);
    expect(await check(token)).toBe('address');
    expect(await check(token, t.tokens, t.two.ours.tenant, { ...origin, sourceIp: '10.9.9.9' })).toMatchObject({ kind: 'credential' });
  });

  it('live no longer than the session settings say, those that are out already too', async () => {
    const mine = await make();
    const token = await tokenOf(mine);
    await t.two.admin(`INSERT INTO session_settings (tenant_id, document, updated_at) VALUES ($1, '{"maxSessionLength": "600s"}', now())`, [
      t.two.ours.tenant.id,
    ]);
    try {
      move(5);
      expect(await check(token)).toMatchObject({ kind: 'credential' });
      move(599);
      expect(await check(token)).toMatchObject({ kind: 'credential' });
      move(1);
      expect(await check(token)).toBe('expired');
      expect((await issue(mine)) as IssuedToken).toMatchObject({ expiresInSeconds: 600 });
    } finally {
      await t.two.admin('DELETE FROM session_settings');
    }
  });

  it('are checked without a query', async () => {
    const token = await tokenOf(await make());
    await check(token);
    const before = t.two.database.stats();
    const commits = async (): Promise<number> =>
      Number((await t.two.admin(`SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()`))[0]?.xact_commit);
    // Connections report late what they did before: a query for each check would be seen in every round, that is not.
    await until(async () => {
      const count = await commits();
      for (let i = 0; i < 1000; i++) {
        await check(token);
      }
      expect((await commits()) - count).toBeLessThan(50);
    });
    expect(t.two.database.stats().waiting).toBe(before.waiting);
  });
});

describe('times of last use', () => {
  it('are written soon, and then at most once a minute', async () => {
    const mine = await make();
    const used = async () => (await t.two.admin('SELECT last_used_at FROM personal_clients WHERE id = $1', [mine.row.id]))[0]?.last_used_at;
    const first = new Date(t.clock);
    const token = await tokenOf(mine);
    await expect.poll(used).toEqual(first);
    move(30);
    await check(token);
    move(31);
    const second = new Date(t.clock);
    await check(token);
    await expect.poll(used).toEqual(second);
  });
});
