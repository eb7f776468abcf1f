/** No credential gives more than the one it is made or changed with: acted out through the tokens of real credentials, on a real database. */
import { beforeEach, describe, expect, it } from 'vitest';
import { actorOf } from '../../../test/support/tenants.ts';
import { useTokens } from '../../../test/support/token-test.ts';
import type { Context } from '../../context.ts';
import type { JsonObject } from '../../wire/mask.ts';
import { ROLES } from '../directory/index.ts';
import { setRoles } from '../directory/set-roles.ts';
import { createCredential, type CreatedCredential, issueCredential, type NewCredential } from './clients/create-credential.ts';
import { changeCredential, revokeCredential } from './clients/manage-credentials.ts';
import { createPrincipal } from './clients/manage-principals.ts';
import {
  changePrincipalCredential,
  createPrincipalCredential,
  type NewPrincipalCredential,
  revokePrincipalCredential,
} from './clients/principal-credentials.ts';
import { findCredential } from './record/store.ts';

const t = useTokens();
const secretLabel = 'conductorone.com';
const month = 2_592_000;
const addresses = ['192.0.2.0/24', '2001:db8::/32'];

/** Makes a request that carries this credential's token. */
async function through(made: CreatedCredential): Promise<Context> {
  const actor = await t.check(await t.tokenOf(made));
  if (typeof actor === 'string') {
    throw new Error(actor);
  }
  return t.at({ ...t.two.ours.system, actor });
}
const make = (context: Context, input: Partial<NewCredential> = {}) =>
  createCredential(context, { displayName: 'k', ...input, userId: context.actor.userId, secretLabel });
const issue = (context: Context, input: Partial<NewCredential> = {}) =>
  issueCredential(context, { displayName: 'k', ...input, userId: t.two.ours.basicId, secretLabel });
const denied = { code: 'PERMISSION_DENIED' };
const basicRole = [ROLES.BASIC_USER.id];

beforeEach(() => t.two.admin('DELETE FROM personal_clients'));

describe('a credential with addresses and an end', () => {
  const narrow = () => t.make(t.two.ours.basic, { allowSourceCidr: addresses, expiresInSeconds: month });

  it('makes only what has its addresses and ends with it', async () => {
    const maker = await narrow();
    t.move(3600);
    const context = await through(maker);
    for (const expiresInSeconds of [undefined, month, 3 * month]) {
      const { row } = await make(context, { expiresInSeconds });
      expect(row).toMatchObject({ allowSourceCidr: addresses, expiresAt: maker.row.expiresAt });
    }
    const { row } = await make(context, { allowSourceCidr: ['192.0.2.7/32', '::ffff:192.0.2.128/121'] });
    expect(row).toMatchObject({ allowSourceCidr: ['192.0.2.7/32', '::ffff:192.0.2.128/121'], expiresAt: maker.row.expiresAt });
    for (const block of ['192.0.2.0/23', '0.0.0.0/0', '::/0', '198.51.100.1/32', '::ffff:0:0/96']) {
      await expect(make(context, { allowSourceCidr: ['192.0.2.1/32', block] })).rejects.toMatchObject(denied);
    }
  });

  it('keeps its own addresses, and may give some up', async () => {
    const maker = await narrow();
    const context = await through(maker);
    const change = (sent: { allowSourceCidr?: string[]; displayName?: string }) => changeCredential(context, maker.row.id, sent, undefined);
    for (const allowSourceCidr of [[], ['0.0.0.0/0'], [...addresses, '198.51.100.1/32']]) {
      await expect(change({ allowSourceCidr })).rejects.toMatchObject(denied);
    }
    expect(await change({ displayName: 'Laptop' })).toMatchObject({ displayName: 'Laptop', allowSourceCidr: addresses });
    expect(await change({ allowSourceCidr: ['192.0.2.0/25'] })).toMatchObject({ allowSourceCidr: ['192.0.2.0/25'] });
    await expect(change({ allowSourceCidr: addresses })).rejects.toMatchObject(denied);
  });

  it('neither changes nor revokes others of its owner, but itself', async () => {
    const [maker, full] = [await narrow(), await t.make()];
    const context = await through(maker);
    await expect(revokeCredential(context, full.row.id)).rejects.toMatchObject(denied);
    await expect(changeCredential(context, full.row.id, { displayName: 'x' }, undefined)).rejects.toMatchObject(denied);
    expect(await findCredential(t.two.ours.basic, 'PERSONAL', full.row.id)).toEqual(full.row);
    await revokeCredential(context, maker.row.id);
    // Its token may still be good for some seconds; it makes nothing any more.
    await expect(make(context, { allowSourceCidr: addresses })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

describe('a credential that is narrowed to roles', () => {
  it('names roles in what it makes, so that nothing follows what its owner is given later', async () => {
    const maker = await t.make(t.two.ours.basic, { scopedRoles: basicRole });
    const context = await through(maker);
    await expect(make(context)).rejects.toMatchObject(denied);
    expect((await make(context, { scopedRoles: basicRole })).row.scopedRoles).toEqual(basicRole);
    await expect(changeCredential(context, maker.row.id, { scopedRoles: [] }, undefined)).rejects.toMatchObject(denied);
    const full = await t.make();
    await expect(revokeCredential(context, full.row.id)).rejects.toMatchObject(denied);
  });
});

describe('a credential that ends', () => {
  it('manages others of its owner, but gives no more to one that outlives it', async () => {
    const short = await through(await t.make(t.two.ours.basic, { expiresInSeconds: month }));
    const [long, leaked] = [await t.make(t.two.ours.basic, { allowSourceCidr: addresses }), await t.make()];
    await expect(changeCredential(short, long.row.id, { allowSourceCidr: [] }, undefined)).rejects.toMatchObject(denied);
    const narrower = await changeCredential(short, long.row.id, { allowSourceCidr: ['192.0.2.0/25'] }, undefined);
    expect(narrower.allowSourceCidr).toEqual(['192.0.2.0/25']);
    const asLong = await t.make(t.two.ours.basic, { allowSourceCidr: addresses, expiresInSeconds: month });
    expect(await changeCredential(short, asLong.row.id, { allowSourceCidr: [] }, undefined)).toMatchObject({ allowSourceCidr: [] });
    await revokeCredential(short, leaked.row.id);
  });
});

describe('a credential that somebody else made', () => {
  it('makes nothing, and manages only itself', async () => {
    const [issued, full] = [await issue(t.at(t.two.ours.admin), { allowSourceCidr: addresses }), await t.make()];
    const context = await through(issued);
    await expect(make(context, { scopedRoles: basicRole })).rejects.toMatchObject(denied);
    await expect(revokeCredential(context, full.row.id)).rejects.toMatchObject(denied);
    await expect(changeCredential(context, full.row.id, { displayName: 'x' }, undefined)).rejects.toMatchObject(denied);
    await expect(changeCredential(context, issued.row.id, { allowSourceCidr: [] }, undefined)).rejects.toMatchObject(denied);
    expect(await changeCredential(context, issued.row.id, { displayName: 'x' }, undefined)).toMatchObject({ displayName: 'x' });
    await revokeCredential(context, issued.row.id);
  });

  it('is given no more by its holder: what it does names its issuer', async () => {
    await setRoles(t.two.ours.admin, t.two.ours.basicId, [ROLES.READ_ONLY_ADMINISTRATOR.id]);
    const issued = await issue(t.at(t.two.ours.admin), { allowSourceCidr: addresses });
    const actor = actorOf(t.two.ours.basicId, ['READ_ONLY_ADMINISTRATOR']);
    const holder = await through(await t.make({ ...t.two.ours.basic, actor }));
    const wishes: JsonObject[] = [{ scopedRoles: [ROLES.READ_ONLY_ADMINISTRATOR.id] }, { allowSourceCidr: [] }];
    for (const sent of wishes) {
      await expect(changeCredential(holder, issued.row.id, sent, undefined)).rejects.toMatchObject(denied);
      await expect(changeCredential(t.at(t.two.ours.admin), issued.row.id, sent, undefined)).resolves.toMatchObject(sent);
    }
    await setRoles(t.two.ours.admin, t.two.ours.basicId, []);
  });
});

describe('a narrowed credential of a Super Administrator', () => {
  const narrow = async () =>
    through(
      await t.make(t.two.ours.admin, { allowSourceCidr: addresses, expiresInSeconds: month, scopedRoles: [ROLES.SUPER_ADMINISTRATOR.id] }),
    );
  const bounded = { allowSourceCidr: addresses, expiresAt: expect.any(Date) };

  it('reaches everybody by its role, and all it makes has its addresses and its end', async () => {
    const context = await narrow();
    const own = await make(context, { scopedRoles: [ROLES.SUPER_ADMINISTRATOR.id] });
    const theirs = await issue(context);
    expect([own.row, theirs.row]).toMatchObject([bounded, bounded]);
    await expect(issue(context, { allowSourceCidr: ['0.0.0.0/0'] })).rejects.toMatchObject(denied);
    const full = await t.make();
    await expect(changeCredential(context, own.row.id, { allowSourceCidr: [] }, undefined)).rejects.toMatchObject(denied);
    await revokeCredential(context, full.row.id);
    await revokeCredential(context, own.row.id);
  });

  it('holds for service principals and what they make', async () => {
    const context = await narrow();
    const { id } = await createPrincipal(context, 'Program');
    const makeKey = (as: Context, more: Partial<NewPrincipalCredential> = {}) =>
      createPrincipalCredential(as, {
        principalId: id,
        displayName: 'k',
        allowSourceCidrs: [],
        expiresInSeconds: undefined,
        requireDpop: false,
        scopedRoles: [],
        secretLabel,
        ...more,
      });
    const first = await makeKey(context);
    expect(first.row).toMatchObject(bounded);
    const second = await makeKey(context, { expiresInSeconds: 60 });
    expect(second.row.expiresAt).toEqual(new Date(t.clock + 60_000));
    await expect(makeKey(context, { allowSourceCidrs: ['0.0.0.0/0'] })).rejects.toMatchObject(denied);
    const plain = await through(first);
    await expect(makeKey(plain)).resolves.toMatchObject({ row: bounded });
    await expect(revokeCredential(plain, (await t.make()).row.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(revokePrincipalCredential(plain, id, second.row.id)).rejects.toMatchObject(denied);
    await setRoles(t.two.ours.admin, id, [ROLES.SUPER_ADMINISTRATOR.id]);
    t.move(10);
    const program = await through(first);
    expect((await makeKey(program)).row).toMatchObject(bounded);
    expect(await changePrincipalCredential(program, id, first.row.id, { displayName: 'New' }, undefined)).toMatchObject({
      displayName: 'New',
    });
    await revokePrincipalCredential(program, id, first.row.id);
    await expect(makeKey(program)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});
