/**
 * Leaving, coming back, and the second user of a person: variants of examples 4, 5 and 6.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkInventory } from '../support/check-inventory.ts';
import { sampled } from '../support/runs.ts';
import { patch } from '../support/scim.ts';
import { patchOf, type Said, userOf, Who } from '../support/who.ts';

let who: Who;
const basic = '000000000000000000BasicUser';
beforeAll(async () => {
  who = await Who.open();
});
afterAll(() => checkInventory(who.server.test.admin, who.server.id));

describe('example 4: whom HR terminated', () => {
  it.each<[string, (id: string, userName: string, said: Said) => Promise<unknown>]>(
    sampled<[string, (id: string, userName: string, said: Said) => Promise<unknown>]>(
      [
        ['a PUT without active', (id, userName, said) => who.put(id, userName, { ...said, active: undefined, name: 'Lea Smith' })],
        ['a PUT with active null', (id, userName, said) => who.put(id, userName, { ...said, active: null })],
        ['a PUT that says active', (id, userName, said) => who.put(id, userName, said)],
        ['a PUT that says "True"', (id, userName, said) => who.put(id, userName, { ...said, active: 'True' })],
        ['a PATCH that removes active', (id) => who.scim.ok('PATCH', `/Users/${id}`, patch({ op: 'remove', path: 'active' }))],
        ['a PATCH without a path', (id) => who.scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', value: { active: true } }))],
        ['a PATCH of a name alone', (id) => who.scim.ok('PATCH', `/Users/${id}`, patchOf({ name: 'Lea Smith' }))],
        [
          'deleting and pushing anew',
          async (id, userName, said) => [await who.scim.ok('DELETE', `/Users/${id}`, undefined, 204), await who.push(userName, said)],
        ],
        [
          'a second user of the provider',
          (_, userName, said) => who.push(`adm-${userName}`, { active: true, name: said.name, email: said.email }),
        ],
        ['another provider', (_, userName, said) => who.other.ok('POST', '/Users', userOf(userName, said), 201)],
        ['another file', (_id, _userName, said) => who.file(who.fresh('list'), [`${said.email},${said.name},,ACTIVE`])],
      ],
      3,
    ),
  )('stays disabled: %s', async (_how, change) => {
    const of = who.fresh('lea');
    const said = { externalId: `x-${of}`, active: true, name: 'Lea', email: `${of}@v4.test` };
    const { id } = await who.push(of, said);
    await who.file(of, [`${said.email},Lea,,TERMINATED`]);
    const lea = await who.byAddress(said.email);
    expect(lea.status).toBe('DISABLED');
    await change(id, of, said);
    expect((await who.user(lea.id)).status).toBe('DISABLED');
  });

  it.each<[string, (id: string, userName: string, said: Said) => Promise<unknown>]>([
    ['a PATCH of a name alone', (id) => who.scim.ok('PATCH', `/Users/${id}`, patchOf({ name: 'Lea Smith' }))],
    ['a PUT without active', (id, userName, said) => who.put(id, userName, { ...said, active: undefined, name: 'Lea Smith' })],
    ['a PUT with active null', (id, userName, said) => who.put(id, userName, { ...said, active: null, name: 'Lea Smith' })],
  ])('and whom its file names no more, stays as they were: %s', async (_how, change) => {
    const of = who.fresh('lea');
    const said = { externalId: `x-${of}`, active: true, name: 'Lea', email: `${of}@v4.test` };
    const { id } = await who.push(of, said);
    await who.file(of, [`${said.email},Lea,,TERMINATED`, `other.${of}@v4.test,Other,,ACTIVE`]);
    const lea = await who.byAddress(said.email);
    await who.file(of, [`other.${of}@v4.test,Other,,ACTIVE`]);
    await change(id, of, said);
    expect(await who.user(lea.id)).toMatchObject({ status: 'DISABLED' });
  });

  it.each([undefined, null])('is somebody whom only others know, with active %s: enabled by nobody', async (active) => {
    const of = who.fresh('lou');
    await who.file(of, [`${of}@v4.test,Lou,,TERMINATED`]);
    await who.push(of, { externalId: `x-${of}`, active, name: 'Lou', email: `${of}@v4.test` });
    expect((await who.byAddress(`${of}@v4.test`)).status).toBe('DISABLED');
  });
  it.each([undefined, null])('a new user with active %s is enabled where nobody else knows them', async (active) => {
    const of = who.fresh('lou');
    await who.push(of, { externalId: `x-${of}`, active, name: 'Lou', email: `${of}@v4.test` });
    expect((await who.byAddress(`${of}@v4.test`)).status).toBe('ENABLED');
  });
  it.each([false, 'False', 'false'])('a new user with active %s is disabled', async (active) => {
    const of = who.fresh('lou');
    await who.push(of, { externalId: `x-${of}`, active, name: 'Lou', email: `${of}@v4.test` });
    expect((await who.byAddress(`${of}@v4.test`)).status).toBe('DISABLED');
  });
});

describe('example 5: an employee who comes back', () => {
  const email = (of: string): string => `${of}@v5.test`;
  const row = (of: string, id = `7-${of}`, status = 'ACTIVE'): string => `${email(of)},Gil ${of},${id},${status}`;
  const other = (of: string): string => `o.${of}@v5.test,Other,O-${of},ACTIVE`;
  const said = (of: string, more: Said = {}): Said => ({
    externalId: `x-${of}`,
    active: true,
    name: `Gil ${of}`,
    email: email(of),
    employeeId: `7-${of}`,
    ...more,
  });

  it.each<[string, (of: string) => Promise<unknown>, (of: string) => Promise<unknown>, (of: string) => Promise<unknown>, boolean]>(
    sampled<[string, (of: string) => Promise<unknown>, (of: string) => Promise<unknown>, (of: string) => Promise<unknown>, boolean]>(
      [
        [
          'in the file again',
          (of) => who.file(of, [row(of), other(of)]),
          (of) => who.file(of, [other(of)]),
          (of) => who.file(of, [row(of), other(of)]),
          true,
        ],
        [
          'in the file with another address',
          (of) => who.file(of, [row(of), other(of)]),
          (of) => who.file(of, [other(of)]),
          (of) => who.file(of, [row(of).replace('@', '.b@'), other(of)]),
          true,
        ],
        [
          'in another file with the same id',
          (of) => who.file(of, [row(of), other(of)]),
          (of) => who.file(of, [other(of)]),
          (of) => who.file(`${of}b`, [row(of).replace('@', '.b@')]),
          true,
        ],
        [
          'in the file with another id',
          (of) => who.file(of, [row(of), other(of)]),
          (of) => who.file(of, [other(of)]),
          (of) => who.file(of, [row(of, `8-${of}`), other(of)]),
          false,
        ],
        [
          'by the provider under the same externalId',
          (of) => who.push(of, said(of)),
          (of) => removeUser(of),
          (of) => who.push(of, said(of, { employeeId: undefined, email: `new.${email(of)}` })),
          true,
        ],
        [
          'by the provider without externalId',
          (of) => who.push(of, said(of)),
          (of) => removeUser(of),
          (of) => who.push(of, said(of, { externalId: undefined })),
          true,
        ],
        [
          'by the provider with another externalId and the same employee id',
          (of) => who.push(of, said(of)),
          (of) => removeUser(of),
          (of) => who.push(of, said(of, { externalId: `y-${of}` })),
          true,
        ],
        [
          'by the provider with other ids',
          (of) => who.push(of, said(of)),
          (of) => removeUser(of),
          (of) => who.push(of, said(of, { externalId: `y-${of}`, employeeId: `8-${of}` })),
          false,
        ],
      ],
      3,
    ),
  )('%s has nothing but what is to be restored', async (_how, join, leave, comeBack, isSame) => {
    const of = who.fresh('gil');
    await join(of);
    const { id } = await who.byAddress(email(of));
    await who.ok('PUT', `/api/v1/users/${id}/roles`, { roleIds: ['000000CampaignAdministrator'] });
    await who.server.ownClient(id);
    await leave(of);
    expect(await who.user(id)).toMatchObject({ status: 'DISABLED', roleIds: [basic] });
    await comeBack(of);
    const back = await who.user(id);
    const suspended = (await who.ok('GET', `/api/v1/users/${id}/suspensions`)).list;
    expect([back.roleIds, suspended]).toEqual([[basic], [expect.anything(), expect.anything()]]);
    const found = await who.server.test.admin(
      `SELECT id, status FROM users WHERE tenant_id = $1 AND display_name = $2 AND status = 'ENABLED'`,
      [who.server.id, `Gil ${of}`],
    );
    expect([found.length, found[0]?.id === id]).toEqual([1, isSame]);
  });
  const removeUser = async (of: string): Promise<void> => {
    const { Resources } = await who.scim.ok('GET', `/Users?filter=${encodeURIComponent(`userName eq "${of}"`)}`);
    await who.scim.ok('DELETE', `/Users/${Resources[0].id}`, undefined, 204);
  };
});

describe('example 6: two users of one person', () => {
  it.each<[string, (id: string, userName: string, said: Said) => Promise<unknown>]>(
    sampled<[string, (id: string, userName: string, said: Said) => Promise<unknown>]>(
      [
        ['deleted', (id) => who.scim.ok('DELETE', `/Users/${id}`, undefined, 204)],
        ['disabled by PATCH', (id) => who.scim.ok('PATCH', `/Users/${id}`, patchOf({ active: false }))],
        ['disabled by PUT', (id, userName, said) => who.put(id, userName, { ...said, active: false })],
        ['renamed', (id, userName, said) => who.put(id, userName, { ...said, name: 'Somebody' })],
        ['without an address from now on', (id, userName) => who.put(id, userName, { name: 'Yva (admin)', active: true })],
      ],
      3,
    ),
  )('where the second one is %s, nothing of the person changes', async (_how, change) => {
    const of = who.fresh('yva');
    const email = `${of}@v6.test`;
    await who.push(email, { name: 'Yva', email, active: true });
    const yva = await who.byAddress(email);
    await who.makeSuper(yva.id);
    const before = await who.facts(yva.id);
    const said = { name: 'Yva (admin)', email, active: true };
    const second = await who.push(`adm-${of}`, said);
    expect(await who.facts(yva.id)).toEqual(before);
    await change(second.id, `adm-${of}`, said);
    expect(await who.facts(yva.id)).toEqual(before);
    expect((await who.owners(who.scim.appId))[email]).toBe(yva.id);
  });

  it('where the first one is deleted, the person says what the second one says', async () => {
    const of = who.fresh('yva');
    const email = `${of}@v6.test`;
    const first = await who.push(email, { name: 'Yva', email, active: true });
    const yva = await who.byAddress(email);
    await who.push(`adm-${of}`, { name: 'Yva (admin)', email, active: true });
    await who.scim.ok('DELETE', `/Users/${first.id}`, undefined, 204);
    expect(await who.user(yva.id)).toMatchObject({ status: 'ENABLED', displayName: 'Yva (admin)', username: `adm-${of}`, email });
  });
});
