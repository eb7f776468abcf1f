/**
 * Addresses and user names that are given again, handed on and swapped: variants of examples 1, 2, 3 and 8, over SCIM, by file and mixed. Most were written
 * against the server rather than for it, so that each says a rule that somebody could break.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Loose } from '../support/api.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { sampled } from '../support/runs.ts';
import { patch } from '../support/scim.ts';
import { countersignState, patchOf, type Said, userOf, Who } from '../support/who.ts';

let who: Who;
const basic = '000000000000000000BasicUser';
beforeAll(async () => {
  who = await Who.open();
});
afterAll(() => checkInventory(who.server.test.admin, who.server.id));

describe('example 1: a joiner with the user name of a leaver', () => {
  const of = (name: string, person: string, id: string): Said => ({
    externalId: `x-${person}-${name}`,
    active: true,
    name: `${person} ${name}`,
    email: `${person}.${name}@v1.test`,
    employeeId: `${id}-${name}`,
  });
  const without = ({ externalId: _, ...said }: Said): Said => said;
  const away = (id: string): Promise<Loose> => who.scim.ok('DELETE', `/Users/${id}`, undefined, 204);
  const disable = (id: string): Promise<Loose> =>
    who.scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: 'False' }));

  it.each<
    [
      string,
      (name: string, id: string, kim: Said) => Promise<unknown>,
      ((said: Said, of: string) => Said)?,
      ((said: Said, of: string) => Said)?,
    ]
  >(
    sampled<
      [
        string,
        (name: string, id: string, kim: Said) => Promise<unknown>,
        ((said: Said, of: string) => Said)?,
        ((said: Said, of: string) => Said)?,
      ]
    >(
      [
        ['deleted, and pushed anew', async (name, id, kim) => [await away(id), await who.push(name, kim)]],
        ['disabled, and pushed over by PUT', async (name, id, kim) => [await disable(id), await who.put(id, name, kim)]],
        [
          'disabled, and pushed over by PATCH',
          async (_, id, kim) => [await disable(id), await who.scim.ok('PATCH', `/Users/${id}`, patchOf(kim))],
        ],
        ['there still, and pushed over by PUT', async (name, id, kim) => who.put(id, name, kim)],
        ['deleted, and pushed anew in capitals', async (name, id, kim) => [await away(id), await who.push(name.toUpperCase(), kim)]],
        ['deleted, without externalIds', async (name, id, kim) => [await away(id), await who.push(name, kim)], without, without],
        ['deleted, where only the joiner has an externalId', async (name, id, kim) => [await away(id), await who.push(name, kim)], without],
        [
          'deleted, and the address is given again, too',
          async (name, id, kim) => [await away(id), await who.push(name, kim)],
          (said, of) => ({ ...said, email: `desk.${of}@v1.test` }),
          (said, of) => ({ ...said, email: `Desk.${of}@V1.test` }),
        ],
        [
          'disabled, pushed over, and the address is given again, too',
          async (name, id, kim) => [await disable(id), await who.put(id, name, kim)],
          (said, of) => ({ ...said, email: `desk.${of}@v1.test` }),
          (said, of) => ({ ...said, email: `desk.${of}@v1.test` }),
        ],
        [
          'deleted, the address given again, without externalIds',
          async (name, id, kim) => [await away(id), await who.push(name, kim)],
          (said, of) => ({ ...without(said), email: `desk.${of}@v1.test` }),
          (said, of) => ({ ...without(said), email: `desk.${of}@v1.test` }),
        ],
        [
          'deleted, the address given again, without employee ids',
          async (name, id, kim) => [await away(id), await who.push(name, kim)],
          (said, of) => ({ ...said, employeeId: undefined, email: `desk.${of}@v1.test` }),
          (said, of) => ({ ...said, employeeId: undefined, email: `desk.${of}@v1.test` }),
        ],
      ],
      3,
    ),
  )('who was %s, is somebody new', async (_how, change, changeKarl = (said) => said, changeKim = (said) => said) => {
    const name = who.fresh('kmiller');
    const { id } = await who.push(name, changeKarl(of(name, 'karl', '2002'), name));
    const karlId = (await who.byName(`karl ${name}`)).id;
    await who.makeSuper(karlId);
    const { credential } = await who.server.ownClient(karlId);
    await change(name, id, changeKim(of(name, 'kim', '3002'), name));
    const kim = await who.byName(`kim ${name}`);
    expect(kim.id).not.toBe(karlId);
    expect([kim.status, (await who.user(kim.id)).roleIds]).toEqual(['ENABLED', [basic]]);
    const karl = await who.user(karlId);
    expect([karl.status, karl.displayName, karl.employeeIds.join()]).toEqual([
      'DISABLED',
      `karl ${name}`,
      changeKarl(of(name, 'karl', '2002'), name).employeeId ?? '',
    ]);
    expect(Object.values(await who.owners(who.scim.appId))).toContain(kim.id);
    expect(Object.values(await who.owners(who.scim.appId))).not.toContain(karlId);
    const token = await who.server.fetch('/auth/v1/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: credential.clientId,
        client_secret: credential.clientSecret,
      }).toString(),
    });
    expect(token.status).toBe(401);
  });

  it('who is pushed over a holder of a role piece by piece, leaves nothing to be accepted of them', async () => {
    const name = who.fresh('kmiller');
    const kim = of(name, 'kim', '3002');
    const { id } = await who.push(name, of(name, 'karl', '2002'));
    const { id: karlId } = await who.byName(`karl ${name}`);
    await who.makeSuper(karlId);
    const claims = async (): Promise<Loose[]> => (await who.ok('GET', `/api/v1/person_claims?user_id=${karlId}`)).list;
    await who.scim.ok('PATCH', `/Users/${id}`, patchOf({ employeeId: kim.employeeId }));
    expect((await claims()).map(({ state }) => state)).toEqual(['PERSON_CLAIM_STATE_WAITING']);
    await who.scim.ok('PATCH', `/Users/${id}`, patchOf(kim));
    expect([(await who.byName(`kim ${name}`)).status, (await who.user(karlId)).status]).toEqual(['ENABLED', 'DISABLED']);
    expect((await claims()).filter(({ state }) => state === 'PERSON_CLAIM_STATE_WAITING')).toEqual([]);
  });

  it('keeps the account of that name when the leaver comes back under another one', async () => {
    const name = who.fresh('kmiller');
    const { id } = await who.push(name, of(name, 'karl', '2002'));
    await away(id);
    const second = await who.push(name, of(name, 'kim', '3002'));
    const back = await who.push(`${name}2`, of(name, 'karl', '2002'));
    const [karl, kim] = [await who.byName(`karl ${name}`), await who.byName(`kim ${name}`)];
    expect(await who.owners(who.scim.appId)).toMatchObject({ [name]: kim.id, [`${name}2`]: karl.id });
    await away(back.id);
    expect((await who.owners(who.scim.appId))[name]).toBe(kim.id);
    await away(second.id);
    expect((await who.owners(who.scim.appId))[name]).toBeUndefined();
  });

  it('whose address is that of a leaver, too, and who has no id at all, is asked about', async () => {
    const name = who.fresh('kmiller');
    const said = { active: true, email: `${name}@v1.test` };
    const { id } = await who.push(name, { ...said, name: `Karl ${name}` });
    const karl = await who.byAddress(said.email);
    await away(id);
    expect((await who.push(name, { ...said, name: `Kim ${name}` }))[countersignState]).toEqual({ countersignState: 'DISPUTED' });
    expect([(await who.user(karl.id)).status, (await who.owners(who.scim.appId))[name]]).toEqual(['DISABLED', null]);
    expect((await who.asked(`Kim ${name}`))?.reason).toBe('PERSON_DISPUTE_REASON_OTHER_NAME');
  });
});

describe('example 2: the address of somebody who left is given again', () => {
  const boss = (of: string): string => `boss.${of}@v2.test,Boss ${of},B-${of},ACTIVE`;
  const carl = (of: string, status = 'ACTIVE', address = `c.${of}@v2.test`): string => `${address},Carl ${of},501-${of},${status}`;
  const cora = (of: string, address = `c.${of}@v2.test`): string => `${address},Cora ${of},777-${of},ACTIVE`;

  it.each<[string, (of: string) => readonly (readonly string[])[]]>(
    sampled<[string, (of: string) => readonly (readonly string[])[]]>(
      [
        [
          'who was TERMINATED',
          (of) => [
            [boss(of), carl(of, 'TERMINATED')],
            [boss(of), cora(of)],
          ],
        ],
        [
          'who was TERMINATED, before all others',
          (of) => [
            [carl(of, 'TERMINATED'), boss(of)],
            [cora(of), boss(of)],
          ],
        ],
        ['whom the file names no more', (of) => [[boss(of)], [boss(of), cora(of)]]],
        [
          'whom the file names no more, in another form',
          (of) => [[boss(of)], [boss(of), cora(of, `\u200bC.${of.toUpperCase()}@v2.test\u00a0`)]],
        ],
        [
          'who stays in the file without an address',
          (of) => [
            [boss(of), carl(of, 'TERMINATED')],
            [boss(of), carl(of, 'TERMINATED', ''), cora(of)],
          ],
        ],
        ['who loses it in the file that says TERMINATED', (of) => [[boss(of), carl(of, 'TERMINATED', ''), cora(of)]]],
        ['who loses it in the file that says TERMINATED, behind the joiner', (of) => [[cora(of), carl(of, 'TERMINATED', ''), boss(of)]]],
        ['who gets another in the file that says TERMINATED', (of) => [[cora(of), carl(of, 'TERMINATED', `old.${of}@v2.test`), boss(of)]]],
      ],
      3,
    ),
  )('to somebody new: %s', async (_how, files) => {
    const of = who.fresh('two');
    await who.file(of, [boss(of), carl(of)]);
    const { id } = await who.byAddress(`c.${of}@v2.test`);
    await who.ok('PUT', `/api/v1/users/${id}/roles`, { roleIds: ['000000CampaignAdministrator'] });
    for (const rows of files(of)) {
      await who.file(of, rows);
    }
    const found = await who.byAddress(`c.${of}@v2.test`);
    expect([found?.displayName, found?.employeeIds, found?.status, found?.roleIds]).toEqual([
      `Cora ${of}`,
      [`777-${of}`],
      'ENABLED',
      [basic],
    ]);
    expect(await who.user(id)).toMatchObject({
      displayName: `Carl ${of}`,
      employeeIds: [`501-${of}`],
      status: 'DISABLED',
      roleIds: [basic],
    });
    expect((await who.ok('GET', `/api/v1/users/${id}/suspensions`)).list).toHaveLength(1);
    expect(await who.asked(`Cora ${of}`)).toBeUndefined();
  });

  it.each([
    ['by a provider, after a file', true],
    ['by a file, after a provider', false],
  ])('%s', async (_how, isFileFirst) => {
    const of = who.fresh('two');
    const email = `c.${of}@v2.test`;
    const said = (name: string, id: string, active: boolean): Said => ({
      externalId: `x-${name}-${of}`,
      name: `${name} ${of}`,
      email,
      employeeId: `${id}-${of}`,
      active,
    });
    if (isFileFirst) {
      await who.file(of, [boss(of), carl(of)]);
      await who.file(of, [boss(of), carl(of, 'TERMINATED')]);
    } else {
      const { id } = await who.push(email, said('Carl', '501', true));
      await who.put(id, email, said('Carl', '501', false));
    }
    const { id } = await who.byAddress(email);
    await (isFileFirst ? who.push(email, said('Cora', '777', true)) : who.file(of, [boss(of), cora(of)]));
    const found = await who.byAddress(email);
    expect([found.displayName, found.employeeIds, found.status]).toEqual([`Cora ${of}`, [`777-${of}`], 'ENABLED']);
    expect(await who.user(id)).toMatchObject({ displayName: `Carl ${of}`, employeeIds: [`501-${of}`], status: 'DISABLED', email: '' });
  });
});

describe('example 3: another address', () => {
  const old = (of: string): string => `anna.alt.${of}@v3.test`;
  const neu = (of: string): string => `anna.neu.${of}@v3.test`;
  const said = (of: string, email: string): Said => ({
    externalId: `x-${of}`,
    name: `Anna ${of}`,
    email,
    employeeId: `42-${of}`,
    active: true,
  });
  it.each<[string, (of: string) => Promise<unknown>]>(
    sampled<[string, (of: string) => Promise<unknown>]>(
      [
        ['by PUT', async (of) => who.put((await who.push(of, said(of, old(of)))).id, of, said(of, neu(of)))],
        [
          'by PATCH',
          async (of) => who.scim.ok('PATCH', `/Users/${(await who.push(of, said(of, old(of)))).id}`, patchOf({ email: neu(of) })),
        ],
        [
          'by PUT without ids',
          async (of) =>
            who.put((await who.push(of, { name: `Anna ${of}`, email: old(of), active: true })).id, of, {
              name: `Anna ${of}`,
              email: neu(of),
              active: true,
            }),
        ],
        [
          'by a file after a provider',
          async (of) => [await who.push(of, said(of, old(of))), await who.file(of, [`${neu(of)},Anna ${of},42-${of},ACTIVE`])],
        ],
        [
          'by a provider after a file',
          async (of) => [await who.file(of, [`${old(of)},Anna ${of},42-${of},ACTIVE`]), await who.push(of, said(of, neu(of)))],
        ],
        [
          'by another file',
          async (of) => [
            await who.file(of, [`${old(of)},Anna ${of},42-${of},ACTIVE`]),
            await who.file(`${of}b`, [`${neu(of)},Anna Other,42-${of},ACTIVE`]),
          ],
        ],
        [
          'by one file, the employee id in another form',
          async (of) => [
            await who.file(of, [`${old(of)},Anna ${of},42-${of},ACTIVE`]),
            await who.file(of, [`${neu(of)},Anna ${of},4\u200b2 -${of},ACTIVE`]),
          ],
        ],
      ],
      3,
    ),
  )('of an employee is the same person: %s', async (_how, change) => {
    const of = who.fresh('anna');
    await change(of);
    const records = await who.server.test.admin(
      'SELECT count(DISTINCT user_id) AS people, count(*) FILTER (WHERE user_id IS NULL) AS open FROM person_records WHERE tenant_id = $1 AND email_key IN ($2, $3)',
      [who.server.id, old(of), neu(of)],
    );
    expect(records).toEqual([{ people: '1', open: '0' }].map((one) => expect.objectContaining(one)).slice(0, 1));
  });
});

describe('example 8: addresses go round', () => {
  const people = ['ann', 'ben', 'cid'] as const;
  const rows = (of: string, shift: number, count: number): string[] =>
    people.slice(0, count).map((name, at) => `${people[(at + shift) % count]}.${of}@v8.test,${name} ${of},${name}-${of},ACTIVE`);
  it.each([
    ['two swap', 2, 1, false],
    ['two swap, in the other order', 2, 1, true],
    ['three hand them on', 3, 1, false],
    ['three hand them on, in the other order', 3, 2, true],
  ])('in a file: %s, and everybody stays who they are', async (_how, count, shift, isReversed) => {
    const of = who.fresh('round');
    await who.file(of, rows(of, 0, count));
    const ids = new Map(
      await Promise.all(people.slice(0, count).map(async (name) => [name, (await who.byAddress(`${name}.${of}@v8.test`)).id] as const)),
    );
    const then = rows(of, shift, count);
    const done = await who.file(of, isReversed ? then.toReversed() : then);
    expect([done.added, done.changed, done.removed, done.counts.people.disputed ?? '0']).toEqual(['0', String(count), '0', '0']);
    for (const [at, name] of people.slice(0, count).entries()) {
      expect(await who.user(ids.get(name))).toMatchObject({
        displayName: `${name} ${of}`,
        email: `${people[(at + shift) % count]}.${of}@v8.test`,
      });
    }
  });

  it('in a file: an address is handed on by somebody who gets another one, to somebody new', async () => {
    const of = who.fresh('round');
    await who.file(of, [`a.${of}@v8.test,Ann,A-${of},ACTIVE`]);
    const ann = await who.byAddress(`a.${of}@v8.test`);
    await who.file(of, [`a.${of}@v8.test,Ben,B-${of},ACTIVE`, `a2.${of}@v8.test,Ann,A-${of},ACTIVE`]);
    expect(await who.user(ann.id)).toMatchObject({ displayName: 'Ann', email: `a2.${of}@v8.test` });
    expect((await who.byAddress(`a.${of}@v8.test`)).displayName).toBe('Ben');
    expect(await who.asked('Ben')).toBeUndefined();
  });

  it.each([
    ['before', true],
    ['behind', false],
  ])('in a file that is new: whom their id finds moves, and a row %s them without an id is not them', async (_where, isBefore) => {
    const of = who.fresh('round');
    await who.file(of, [`a.${of}@v8.test,Ann ${of},A-${of},ACTIVE`]);
    const ann = await who.byAddress(`a.${of}@v8.test`);
    const then = [`a.${of}@v8.test,Ben ${of},,ACTIVE`, `a2.${of}@v8.test,Ann ${of},A-${of},ACTIVE`];
    await who.file(`${of}b`, isBefore ? then : then.toReversed());
    expect(await who.user(ann.id)).toMatchObject({ displayName: `Ann ${of}`, email: `a2.${of}@v8.test` });
    const records = await who.server.test.admin(
      'SELECT display_name AS name, user_id AS id FROM person_records WHERE tenant_id = $1 AND display_name = $2',
      [who.server.id, `Ben ${of}`],
    );
    expect(records.map(({ id }) => id)).not.toContain(ann.id);
  });

  it('over SCIM: two swap, and neither is ever the other', async () => {
    const of = who.fresh('round');
    const said = (name: string, email: string): Said => ({
      externalId: `x-${name}-${of}`,
      name: `${name} ${of}`,
      email: `${email}.${of}@v8.test`,
      active: true,
    });
    const [ann, ben] = [await who.push(`ann-${of}`, said('ann', 'a')), await who.push(`ben-${of}`, said('ben', 'b'))];
    const [annId, benId] = [(await who.byAddress(`a.${of}@v8.test`)).id, (await who.byAddress(`b.${of}@v8.test`)).id];
    for (const [id, name, email] of [
      [ann.id, 'ann', 'b'],
      [ben.id, 'ben', 'a'],
      [ann.id, 'ann', 'b'],
      [ben.id, 'ben', 'a'],
    ]) {
      await who.scim.send('PUT', `/Users/${id}`, userOf(`${name}-${of}`, said(name, email)));
    }
    expect([(await who.user(annId)).displayName, (await who.user(benId)).displayName]).toEqual([`ann ${of}`, `ben ${of}`]);
  });
});
