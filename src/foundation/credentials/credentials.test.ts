/** Making, reading, changing and revoking credentials on a real database with two tenants: every rule of who may and what may be. */
import { PersonalClientSchema } from '../../gen/c1/api/iam/v1/iam_pb.js';
import { shape } from '../../wire/reply.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sql } from '../../lib/sql.ts';
import { textPlanOf } from '../../../test/support/plans.ts';
import { actorOf, frozenNow, openTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import type { Actor, RoleName, Context } from '../../context.ts';
import { ROLES } from '../directory/index.ts';
import { setRoles } from '../directory/set-roles.ts';
import { allowIssuedCredentials } from '../tenants/manage-tenants.ts';
import { createCredential, issueCredential, maxLiveCredentials, type NewCredential } from './clients/create-credential.ts';
import { changeCredential, getCredential, listOwnCredentials, revokeCredential, searchCredentials } from './clients/manage-credentials.ts';
import { findCredential, lockCredential, updateCredential } from './record/store.ts';
import { findCredentialState } from './tokens/store-tokens.ts';
import { shapeCredential } from './clients/view.ts';

let two: TwoTenants;
const secretLabel = 'conductorone.com';
const everything = { userIds: undefined, query: undefined };

const make = (context: Context, input: Partial<NewCredential> = {}, userId = context.actor.userId) =>
  createCredential(context, { displayName: 'My key', ...input, userId, secretLabel });
const issue = (context: Context, userId: string, input: Partial<NewCredential> = {}) =>
  issueCredential(context, { displayName: 'For them', ...input, userId, secretLabel });
const as = (userId: string, roles: RoleName[], more: Partial<Actor> = {}): Context => ({
  ...two.ours.system,
  actor: actorOf(userId, roles, more),
});
/** Somebody whose credential gives exactly these roles. */
const narrowed = (userId: string, roles: RoleName[]): Context => as(userId, [], { roles: new Set(roles) });

beforeAll(async () => {
  two = await openTwoTenants();
});
beforeEach(() => two.admin('DELETE FROM personal_clients'));
afterAll(() => two.close());

describe('createCredential', () => {
  it('gives the secret once and keeps the public key only', async () => {
    const { row, secret } = await make(two.ours.basic, { allowSourceCidr: ['10.0.0.0/8'], expiresInSeconds: 2_592_000 });
    expect(row.clientId).toMatch(/^[a-z]+-[a-z]+-[0-9]+@ours\.example\/pcc$/);
    expect(secret).toMatch(/^secret-token:conductorone\.com:v1:/);
    const [stored] = await two.admin('SELECT * FROM personal_clients WHERE id = $1', [row.id]);
    const jwk = JSON.parse(Buffer.from(secret.split(':')[3] ?? '', 'base64url').toString()) as { d: string; x: string };
    expect(JSON.stringify(stored)).not.toContain(jwk.d);
    expect(stored).toMatchObject({
      public_key: jwk.x,
      user_id: two.ours.basicId,
      issuer_id: '',
      expires_at: new Date(frozenNow.getTime() + 2_592_000_000),
    });
    const events = await two.admin(`SELECT data::text FROM events WHERE target_id = $1`, [row.id]);
    expect(events).toHaveLength(1);
    expect(JSON.stringify(events)).not.toContain(jwk.d);
  });

  it.each([
    [2_592_000, '2026-03-31T12:00:00Z'],
    [7_776_000, '2026-05-30T12:00:00Z'],
    [undefined, undefined],
  ])('lives %s seconds', async (expiresInSeconds, expiresTime) => {
    const { row } = await make(two.ours.basic, { expiresInSeconds });
    expect(shape(PersonalClientSchema, shapeCredential(row)).expiresTime).toBe(expiresTime);
  });

  it.each([
    ['an empty name', { displayName: '  ' }, 'displayName'],
    ['a huge name', { displayName: 'x'.repeat(257) }, 'displayName'],
    ['60 days', { expiresInSeconds: 5_184_000 }, 'expires'],
    ['no time at all', { expiresInSeconds: 0 }, 'expires'],
    ['a negative time', { expiresInSeconds: -2_592_000 }, 'expires'],
    ['nearly 30 days', { expiresInSeconds: 2_592_000.5 }, 'expires'],
    ['a bare address', { allowSourceCidr: ['10.0.0.0/8', '10.0.0.1'] }, 'allowSourceCidr[1]'],
    ['101 blocks', { allowSourceCidr: Array<string>(101).fill('10.0.0.0/8') }, 'allowSourceCidr'],
    ['a role that is none', { scopedRoles: ['nothing'] }, 'scopedRoles[0]'],
    ['a role the owner does not hold', { scopedRoles: [ROLES.BASIC_USER.id, ROLES.SUPER_ADMINISTRATOR.id] }, 'scopedRoles[1]'],
  ])('refuses %s', async (_what, input, field) => {
    await expect(make(two.ours.basic, input)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', violations: [{ field }] });
  });

  it('reports all that is wrong at once', async () => {
    await expect(
      make(two.ours.basic, { displayName: '', allowSourceCidr: ['x'], expiresInSeconds: 1, scopedRoles: ['y'] }),
    ).rejects.toMatchObject({
      violations: [{ field: 'displayName' }, { field: 'expires' }, { field: 'allowSourceCidr[0]' }, { field: 'scopedRoles[0]' }],
    });
  });

  it('never gives more than the credential it is made with', async () => {
    const admin = two.ours.adminId;
    const basicOnly = narrowed(admin, ['BASIC_USER']);
    await expect(make(basicOnly)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(make(basicOnly, { scopedRoles: [ROLES.SUPER_ADMINISTRATOR.id] })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(make(basicOnly, { scopedRoles: [ROLES.BASIC_USER.id] })).resolves.toBeDefined();
    await expect(make(two.ours.admin)).resolves.toBeDefined();
    await expect(make(two.ours.basic)).resolves.toBeDefined();
  });

  it('makes none for nobody, the disabled, or people of another tenant', async () => {
    await expect(make(two.ours.system, {}, two.theirs.basicId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await two.admin(`UPDATE users SET status = 'DISABLED' WHERE id = $1`, [two.ours.basicId]);
    await expect(make(two.ours.system, {}, two.ours.basicId)).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
    await two.admin(`UPDATE users SET status = 'ENABLED' WHERE id = $1`, [two.ours.basicId]);
  });
});

describe('issueCredential', () => {
  it('holds Basic User only and names its issuer', async () => {
    const { row } = await issue(two.ours.admin, two.ours.basicId);
    expect(shape(PersonalClientSchema, shapeCredential(row))).toMatchObject({
      userId: two.ours.basicId,
      issuerId: two.ours.adminId,
      scopedRoles: [ROLES.BASIC_USER.id],
    });
    const [event] = await two.admin(`SELECT kind, actor_id, data FROM events WHERE target_id = $1`, [row.id]);
    expect(event).toMatchObject({ kind: 'credential.issued', actor_id: two.ours.adminId, data: { userId: two.ours.basicId } });
  });

  it('is off where the tenant says so', async () => {
    await allowIssuedCredentials(two.database, two.ours.tenant.id, false);
    await expect(issue(two.ours.admin, two.ours.basicId)).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
    await allowIssuedCredentials(two.database, two.ours.tenant.id, true);
  });

  it('is not for oneself, nobody, or another tenant', async () => {
    await expect(issue(two.ours.admin, two.ours.adminId)).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
    await expect(issue(two.ours.admin, 'nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(issue(two.ours.admin, two.theirs.basicId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('checks its input like any other', async () => {
    await expect(issue(two.ours.admin, two.ours.basicId, { displayName: '', expiresInSeconds: 5 })).rejects.toMatchObject({
      violations: [{ field: 'displayName' }, { field: 'expires' }],
    });
  });

  it('cannot make, issue or change credentials itself: its maker would be hidden', async () => {
    const through = as(two.ours.basicId, [], { issuerId: two.ours.adminId });
    const { row } = await make(two.ours.basic);
    await expect(make(through)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(issue(through, two.ours.adminId)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(changeCredential(through, row.id, { displayName: 'x' }, undefined)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });
});

describe('who sees and manages credentials', () => {
  it("lists one's own, those made by others included", async () => {
    const own = await make(two.ours.basic);
    const issued = await issue(two.ours.admin, two.ours.basicId);
    await make(two.ours.admin);
    await make(two.theirs.basic);
    const rows = await listOwnCredentials(two.ours.basic, undefined, 100);
    expect(rows.map((row) => row.id)).toEqual([own.row.id, issued.row.id]);
    expect((await listOwnCredentials(two.ours.basic, own.row.id, 100)).map((row) => row.id)).toEqual([issued.row.id]);
    expect((await listOwnCredentials(two.ours.admin, undefined, 100)).length).toBe(1);
  });

  it("finds everybody's only as an administrator who sees everything", async () => {
    const own = await make(two.ours.basic, { displayName: 'Robot 100%' });
    const other = await make(two.ours.admin, { displayName: 'Other' });
    await make(two.theirs.basic);
    const ids = async (context: Context, filter: Partial<typeof everything> | { userIds?: string[]; query?: string } = {}) =>
      (await searchCredentials(context, { ...everything, ...filter }, undefined, 100)).map((row) => row.id);
    const both = [own.row.id, other.row.id];
    expect(await ids(two.ours.admin)).toEqual(both);
    expect(await ids(as(two.ours.basicId, ['READ_ONLY_ADMINISTRATOR']))).toEqual(both);
    expect(await ids(as(two.ours.basicId, ['CAMPAIGN_ADMINISTRATOR']))).toEqual([own.row.id]);
    expect(await ids(two.ours.basic)).toEqual([own.row.id]);
    expect(await ids(two.ours.basic, { userIds: [two.ours.adminId] })).toEqual([]);
    expect(await ids(two.ours.admin, { userIds: [two.ours.basicId] })).toEqual([own.row.id]);
    expect(await ids(two.ours.admin, { query: 'robot' })).toEqual([own.row.id]);
    expect(await ids(two.ours.admin, { query: '0%' })).toEqual([own.row.id]);
    expect(await ids(two.ours.admin, { query: '_' })).toEqual([]);
    expect(await ids(two.ours.admin, { query: other.row.clientId.slice(0, -4) })).toEqual([other.row.id]);
  });

  it('is 404 for what one may not know of and 403 for what one may only see', async () => {
    const { row } = await make(two.ours.admin);
    const readOnly = as(two.ours.basicId, ['READ_ONLY_ADMINISTRATOR']);
    for (const context of [two.ours.basic, two.theirs.admin]) {
      await expect(getCredential(context, row.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(changeCredential(context, row.id, { displayName: 'x' }, undefined)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(revokeCredential(context, row.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect((await getCredential(readOnly, row.id)).id).toBe(row.id);
    await expect(changeCredential(readOnly, row.id, { displayName: 'x' }, undefined)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(revokeCredential(readOnly, row.id)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  it('keeps the stores to their tenant', async () => {
    const { row } = await make(two.theirs.basic);
    const context = two.ours.admin;
    expect(await findCredential(context, 'PERSONAL', row.id)).toBeUndefined();
    expect(await lockCredential(context, 'PERSONAL', row.id)).toBeUndefined();
    await updateCredential(context, row.id, { displayName: 'x', allowSourceCidr: [], scopedRoles: [] });
    expect(await findCredential(two.theirs.basic, 'PERSONAL', row.id)).toEqual(row);
    expect(await findCredentialState(context.db, two.ours.tenant.id, row.clientId, frozenNow, false)).toBeUndefined();
    expect(await findCredentialState(context.db, two.theirs.tenant.id, row.clientId, frozenNow, false)).toBeUndefined();
    expect(await context.db.rows('SELECT 1 FROM personal_clients', [])).toEqual([]);
  });
});

describe('changeCredential', () => {
  it('sets what is sent, or what the mask names', async () => {
    const { row } = await make(two.ours.admin, { allowSourceCidr: ['10.0.0.0/8'], scopedRoles: [ROLES.BASIC_USER.id] });
    const context = { ...two.ours.admin, now: new Date('2026-03-02T00:00:00Z') };
    const named = await changeCredential(context, row.id, { displayName: 'New', allowSourceCidr: ['::/0'] }, ['displayName']);
    expect(named).toMatchObject({ displayName: 'New', allowSourceCidr: ['10.0.0.0/8'], updatedAt: context.now });
    const present = await changeCredential(context, row.id, { allowSourceCidr: [] }, undefined);
    expect(present).toMatchObject({ displayName: 'New', allowSourceCidr: [], scopedRoles: [ROLES.BASIC_USER.id] });
    const roles = await changeCredential(context, row.id, {}, ['scopedRoles']);
    expect(roles.scopedRoles).toEqual([]);
    expect(await getCredential(context, row.id)).toEqual(roles);
    const events = await two.admin(`SELECT data FROM events WHERE kind = 'credential.updated' AND target_id = $1 ORDER BY id LIMIT 1`, [
      row.id,
    ]);
    expect(events[0]?.data).toMatchObject({ before: { displayName: 'My key' }, after: { displayName: 'New' } });
  });

  it('never changes its end, and ignores an echo of it', async () => {
    const { row } = await make(two.ours.basic, { expiresInSeconds: 2_592_000 });
    const echo = shape(PersonalClientSchema, shapeCredential(row));
    expect(await changeCredential(two.ours.basic, row.id, { ...echo, displayName: 'B' } as never, undefined)).toMatchObject({
      displayName: 'B',
      expiresAt: row.expiresAt,
    });
    await expect(changeCredential(two.ours.basic, row.id, { expiresTime: '2030-01-01T00:00:00Z' }, undefined)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    await expect(changeCredential(two.ours.basic, row.id, {}, ['expiresTime'])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it.each([
    [{ displayName: '' }, undefined],
    [{}, ['displayName']],
    [{ allowSourceCidr: ['x'] }, undefined],
    [{ scopedRoles: [ROLES.SUPER_ADMINISTRATOR.id] }, undefined],
    [{ id: 'x' }, ['id']],
    [{}, ['userId']],
    [{}, ['nonsense']],
  ])('refuses %j with mask %j', async (sent, mask) => {
    const { row } = await make(two.ours.basic);
    await expect(changeCredential(two.ours.basic, row.id, sent, mask)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('never widens a credential beyond the one it is done with', async () => {
    const { row } = await make(two.ours.admin, { scopedRoles: [ROLES.BASIC_USER.id] });
    const basicOnly = narrowed(two.ours.adminId, ['BASIC_USER']);
    await expect(changeCredential(basicOnly, row.id, { scopedRoles: [] }, undefined)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(changeCredential(basicOnly, row.id, { displayName: 'fine' }, undefined)).resolves.toMatchObject({ displayName: 'fine' });
    const wide = await make(two.ours.admin);
    await expect(changeCredential(basicOnly, wide.row.id, { allowSourceCidr: ['0.0.0.0/0'] }, undefined)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  });

  it('never gives an issued one more than Basic User', async () => {
    const { row } = await issue(two.ours.admin, two.ours.basicId);
    await setRoles(two.ours.admin, two.ours.basicId, [ROLES.CAMPAIGN_ADMINISTRATOR.id]);
    await expect(
      changeCredential(two.ours.admin, row.id, { scopedRoles: [ROLES.CAMPAIGN_ADMINISTRATOR.id] }, undefined),
    ).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await setRoles(two.ours.admin, two.ours.basicId, []);
  });

  it('loses neither of two changes to different members', async () => {
    const { row } = await make(two.ours.basic);
    await Promise.all([
      changeCredential(two.ours.basic, row.id, { displayName: 'Both' }, ['displayName']),
      changeCredential(two.ours.basic, row.id, { allowSourceCidr: ['10.0.0.0/8'] }, ['allowSourceCidr']),
    ]);
    expect(await getCredential(two.ours.basic, row.id)).toMatchObject({ displayName: 'Both', allowSourceCidr: ['10.0.0.0/8'] });
  });
});

describe('revokeCredential', () => {
  it('hides it, keeps the row, and says so in an event', async () => {
    const { row } = await make(two.ours.basic);
    await revokeCredential(two.ours.admin, row.id);
    await expect(getCredential(two.ours.basic, row.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(revokeCredential(two.ours.basic, row.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(changeCredential(two.ours.basic, row.id, { displayName: 'x' }, undefined)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await listOwnCredentials(two.ours.basic, undefined, 10)).toEqual([]);
    expect(await two.admin('SELECT deleted_at FROM personal_clients WHERE id = $1', [row.id])).toEqual([{ deleted_at: frozenNow }]);
    const events = await two.admin(`SELECT kind, actor_id FROM events WHERE target_id = $1 ORDER BY id`, [row.id]);
    expect(events.at(-1)).toEqual({ kind: 'credential.revoked', actor_id: two.ours.adminId });
  });
});

describe('how many there are', () => {
  /** So many of a person's, written as rows. */
  const fill = (userId: string, count: number, expiresAt: Date | null = null) =>
    two.ours.system.db.run(
      `INSERT INTO personal_clients (tenant_id, id, client_id, user_id, display_name, public_key, expires_at, created_at, updated_at)
       SELECT $1, $2 || lpad(n::text, 6, '0'), $2 || n, $2, 'Ré-issued #' || n, 'k', $4, $5, $5 FROM generate_series(1, $3::int) AS n`,
      [two.ours.tenant.id, userId, count, expiresAt, frozenNow],
    );

  it('is bounded for each holder, those that are over left out', async () => {
    await fill(two.ours.basicId, maxLiveCredentials - 1);
    await two.admin('UPDATE personal_clients SET deleted_at = now() WHERE client_id LIKE $1', [`${two.ours.basicId}1`]);
    await make(two.ours.basic);
    const { row } = await make(two.ours.basic, { expiresInSeconds: 2_592_000 });
    await expect(make(two.ours.basic)).rejects.toMatchObject({ code: 'FAILED_PRECONDITION', message: expect.stringContaining('500') });
    await expect(issue(two.ours.admin, two.ours.basicId)).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
    await make(two.ours.admin);
    const later = (context: Context): Context => ({ ...context, now: new Date(frozenNow.getTime() + 2_592_000_001) });
    await make(later(two.ours.basic));
    expect((await getCredential(two.ours.basic, row.id)).id).toBe(row.id);
  });

  it('is no matter for whoever lists their own: they are found by their holder', async () => {
    await fill(two.ours.adminId, 20_000);
    await fill(two.ours.basicId, 3);
    await two.admin('ANALYZE personal_clients');
    const plans: string[] = [];
    const { system, basic } = two.ours;
    const explaining: Context = {
      ...basic,
      db: {
        ...system.db,
        async rows<T>(sql: Sql | string, values?: readonly unknown[]): Promise<T[]> {
          plans.push(await textPlanOf(system, 'ANALYZE, TIMING OFF', sql, values));
          return system.db.rows<T>(sql, values);
        },
      },
    };
    // As often as makes a server give up on plans for the values at hand.
    for (let time = 0; time < 8; time++) {
      expect(await listOwnCredentials(explaining, undefined, 26)).toHaveLength(3);
    }
    expect(plans.at(-1)).toContain('personal_clients_by_user');
    expect(plans.at(-1)).not.toMatch(/Rows Removed by Filter: \d{3,}/);
    // Words are looked for in ids as well, and ids have digits, but no such sign.
    const found = await searchCredentials(two.ours.admin, { userIds: [two.ours.basicId], query: 're-issued #2' }, undefined, 26);
    expect(found.map((row) => row.displayName)).toEqual(['Ré-issued #2']);
  });
});
