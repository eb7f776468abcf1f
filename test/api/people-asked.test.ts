/**
 * Disputed records: what is asked, what an answer comes to, and what settles a question without one. Variants of examples 9 and 10.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Loose } from '../support/api.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { sampled } from '../support/runs.ts';
import { patch } from '../support/scim.ts';
import { countersignState, patchOf, type Said, userOf, Who } from '../support/who.ts';

let who: Who;
beforeAll(async () => {
  who = await Who.open();
});
afterAll(() => checkInventory(who.server.test.admin, who.server.id));

describe('example 9: what was asked', () => {
  const other = (of: string): string => `o.${of}@v9.test,Other`;
  const header = 'email,display_name';
  const ask = async (of: string): Promise<{ carl: Loose; record: Loose }> => {
    await who.file(of, [`c.${of}@v9.test,Carl ${of}`, other(of)], header);
    const carl = await who.byAddress(`c.${of}@v9.test`);
    await who.file(of, [other(of)], header);
    await who.file(of, [`c.${of}@v9.test,Cora ${of}`, other(of)], header);
    return { carl, record: (await who.asked(`Cora ${of}`)) as Loose };
  };
  const again = async (of: string): Promise<string> =>
    (await who.file(of, [`c.${of}@v9.test,Cora ${of}`, other(of)], header)).counts.people.disputed ?? '0';

  it('and answered "same person" is not asked again, and the person is back', async () => {
    const of = who.fresh('nine');
    const { carl, record } = await ask(of);
    await who.answer(record.id, 'SAME_PERSON', carl.id);
    expect([await again(of), await again(of)]).toEqual(['0', '0']);
    expect(await who.user(carl.id)).toMatchObject({ displayName: `Cora ${of}`, status: 'ENABLED', email: `c.${of}@v9.test` });
  });
  it('and answered "new person" is not asked again when they leave and come back', async () => {
    const of = who.fresh('nine');
    const { carl, record } = await ask(of);
    const { userId } = (await who.answer(record.id, 'NEW_PERSON')).record;
    expect(await again(of)).toBe('0');
    await who.file(of, [other(of)], header);
    expect((await who.user(userId)).status).toBe('DISABLED');
    expect(await again(of)).toBe('0');
    expect([(await who.user(userId)).status, (await who.user(carl.id)).status]).toEqual(['ENABLED', 'DISABLED']);
  });
  it('and answered "new person" takes accounts under the address along, and the event says so', async () => {
    const of = who.fresh('nine');
    const { carl, record } = await ask(of);
    const { appId } = await who.grants(of, `account,email,entitlement\nc,c.${of}@v9.test,Use\n`);
    expect((await who.owners(appId))['c']).toBe(carl.id);
    const { userId } = (await who.answer(record.id, 'NEW_PERSON')).record;
    expect((await who.owners(appId))['c']).toBe(userId);
    const [event] = await who.server.test.admin(
      `SELECT data FROM events WHERE tenant_id = $1 AND kind = 'person_record.answered' AND target_id = $2`,
      [who.server.id, userId],
    );
    expect(event?.data).toMatchObject({ matchedAccounts: 1, revisions: [expect.any(Number)] });
  });
  it('and ignored stays so, whatever comes', async () => {
    const of = who.fresh('nine');
    const { carl, record } = await ask(of);
    await who.answer(record.id, 'IGNORED');
    await who.file(of, [other(of)], header);
    expect([await again(of), (await who.user(carl.id)).status]).toEqual(['0', 'DISABLED']);
  });
  it('and whose row goes is asked no more, until it comes again', async () => {
    const of = who.fresh('nine');
    const { carl } = await ask(of);
    await who.file(of, [other(of)], header);
    expect(await who.asked(`Cora ${of}`)).toBeUndefined();
    expect([await again(of), (await who.asked(`Cora ${of}`))?.candidates.map((one: Loose) => one.userId)]).toEqual(['1', [carl.id]]);
  });
  it('is not asked where the former holder comes back under their own name', async () => {
    const of = who.fresh('nine');
    const { carl } = await ask(of);
    const done = await who.file(of, [`c.${of}@v9.test,Carl  ${of}`, other(of)], header);
    expect([done.counts.people.disputed ?? '0', (await who.user(carl.id)).status]).toEqual(['0', 'ENABLED']);
  });
  it('is not asked of a row that says what it always said, though another source calls them otherwise', async () => {
    const of = who.fresh('nine');
    const email = `r.${of}@v9.test`;
    await who.file(of, [`${email},Robert ${of}`, other(of)], header);
    const { id } = await who.byAddress(email);
    await who.file(`${of}b`, [`${email},Bob ${of},,TERMINATED`]);
    expect(await who.user(id)).toMatchObject({ displayName: `Bob ${of}`, status: 'DISABLED' });
    const done = await who.file(of, [`${email},Robert ${of}`, other(of)], header);
    expect(done.counts.people.disputed ?? '0').toBe('0');
    expect((await who.user(id)).status).toBe('DISABLED');
  });

  it.each<[string, (id: string, userName: string, said: Said) => Promise<unknown>]>(
    sampled<[string, (id: string, userName: string, said: Said) => Promise<unknown>]>(
      [
        ['by a PUT that leaves the externalId out', (id, userName, said) => who.put(id, userName, { ...said, externalId: undefined })],
        [
          'by a PATCH that removes the externalId',
          (id) => who.scim.ok('PATCH', `/Users/${id}`, patch({ op: 'remove', path: 'externalId' })),
        ],
        ['by the same PUT', (id, userName, said) => who.put(id, userName, said)],
        ['by a PATCH of the name', (id) => who.scim.ok('PATCH', `/Users/${id}`, patchOf({ name: 'Ben B' }))],
      ],
      3,
    ),
  )('over SCIM is not settled %s', async (_how, change) => {
    const of = who.fresh('desk');
    const email = `${of}@v9.test`;
    await who.push(`a-${of}`, { externalId: `xa-${of}`, active: true, name: `Ann ${of}`, email });
    const ann = await who.byAddress(email);
    const before = await who.facts(ann.id);
    const said = { externalId: `xb-${of}`, active: true, name: `Ben ${of}`, email };
    const second = await who.push(`b-${of}`, said);
    expect(second[countersignState]).toEqual({ countersignState: 'DISPUTED' });
    await change(second.id, `b-${of}`, said);
    expect((await who.scim.ok('GET', `/Users/${second.id}`))[countersignState]).toEqual({ countersignState: 'DISPUTED' });
    expect([await who.facts(ann.id), (await who.owners(who.scim.appId))[`b-${of}`]]).toEqual([before, null]);
  });

  it.each(['IGNORED', 'NEW_PERSON', 'another person'])(
    'over SCIM of a user who was somebody until then ends with the answer, and so do they: %s',
    async (verdict) => {
      const of = who.fresh('desk');
      const email = `${of}@v9.test`;
      const { id } = await who.push(`a-${of}`, { externalId: `xa-${of}`, active: true, name: `Ann ${of}`, email });
      const ann = await who.byAddress(email);
      await who.ok('PUT', `/api/v1/users/${ann.id}/roles`, { roleIds: ['000000CampaignAdministrator'] });
      await who.push(`z-${of}`, { externalId: `xz-${of}`, active: true, name: `Zoe ${of}`, email: `z.${email}` });
      const zoe = await who.byAddress(`z.${email}`);
      const pushed = await who.put(id, `a-${of}`, { externalId: `xb-${of}`, active: true, name: `Ben ${of}`, email });
      expect(pushed[countersignState]).toEqual({ countersignState: 'DISPUTED' });
      expect((await who.user(ann.id)).status).toBe('ENABLED');
      const record = (await who.asked(`Ben ${of}`)) as Loose;
      const isAnother = verdict === 'another person';
      await who.answer(record.id, isAnother ? 'SAME_PERSON' : verdict, isAnother ? zoe.id : '');
      expect(await who.user(ann.id)).toMatchObject({
        status: 'DISABLED',
        displayName: `Ann ${of}`,
        roleIds: ['000000000000000000BasicUser'],
      });
    },
  );

  it.each(['an address of somebody else', 'an externalId of somebody else'])(
    'over SCIM of a user who was somebody until then, and is asked of them no more, ends them: by %s',
    async (how) => {
      const of = who.fresh('desk');
      const email = `${of}@v9.test`;
      const { id } = await who.push(`a-${of}`, { externalId: `xa-${of}`, active: true, name: `Ann ${of}`, email });
      const ann = await who.byAddress(email);
      const zoe = await who.push(`z-${of}`, { externalId: `xz-${of}`, active: true, name: `Zoe ${of}`, email: `z.${email}` });
      const said = { externalId: `xb-${of}`, active: true, name: `Ben ${of}`, email };
      await who.put(id, `a-${of}`, said);
      await who.put(id, `a-${of}`, { ...said, name: `Benno ${of}` });
      expect((await who.user(ann.id)).status).toBe('ENABLED');
      if (how === 'an address of somebody else') {
        await who.put(id, `a-${of}`, { ...said, email: `z.${email}` });
        expect((await who.asked(`Ben ${of}`))?.candidates).toHaveLength(1);
      } else {
        await who.scim.ok('DELETE', `/Users/${zoe.id}`, undefined, 204);
        await who.put(id, `a-${of}`, { ...said, externalId: `xz-${of}`, email: `b.${email}` });
      }
      expect(await who.user(ann.id)).toMatchObject({ status: 'DISABLED', displayName: `Ann ${of}` });
    },
  );

  it('over SCIM is settled by an address of its own', async () => {
    const of = who.fresh('desk');
    const email = `${of}@v9.test`;
    await who.push(`a-${of}`, { externalId: `xa-${of}`, active: true, name: `Ann ${of}`, email });
    const second = await who.push(`b-${of}`, { externalId: `xb-${of}`, active: true, name: `Ben ${of}`, email });
    await who.put(second.id, `b-${of}`, { externalId: `xb-${of}`, active: true, name: `Ben ${of}`, email: `own.${email}` });
    expect([(await who.byAddress(`own.${email}`)).displayName, (await who.byAddress(email)).displayName]).toEqual([
      `Ben ${of}`,
      `Ann ${of}`,
    ]);
  });
});

describe('example 10: the id of one, the address of another', () => {
  const row = (name: string, of: string, more = 'ACTIVE'): string => `${name}.${of}@v10.test,${name} ${of},${name}-${of},${more}`;
  it.each<[string, (of: string) => Promise<unknown>]>(
    sampled<[string, (of: string) => Promise<unknown>]>(
      [
        [
          'over SCIM',
          (of) =>
            who.push(`z-${of}`, {
              externalId: `x-${of}`,
              active: false,
              name: `ann ${of}`,
              email: `ben.${of}@v10.test`,
              employeeId: `ann-${of}`,
            }),
        ],
        [
          'over SCIM, without externalId',
          (of) => who.push(`z-${of}`, { active: false, name: `ann ${of}`, email: `BEN.${of}@v10.test`, employeeId: ` ann-${of} ` }),
        ],
        [
          'by another provider',
          (of) =>
            who.other.ok(
              'POST',
              '/Users',
              userOf(`z-${of}`, { externalId: `x-${of}`, name: `ann ${of}`, email: `ben.${of}@v10.test`, employeeId: `ann-${of}` }),
              201,
            ),
        ],
        ['by another file', (of) => who.file(`${of}b`, [`ben.${of}@v10.test,ann ${of},ann-${of},TERMINATED`])],
        [
          'by another file, of somebody who left',
          async (of) => [
            await who.file(of, [row('ann', of), row('ben', of, 'TERMINATED')]),
            await who.file(`${of}b`, [`ben.${of}@v10.test,ann ${of},ann-${of},TERMINATED`]),
          ],
        ],
      ],
      3,
    ),
  )('is disputed with both, and nothing of either changes: %s', async (_how, tell) => {
    const of = who.fresh('ten');
    await who.file(of, [row('ann', of), row('ben', of)]);
    const [ann, ben] = [await who.byAddress(`ann.${of}@v10.test`), await who.byAddress(`ben.${of}@v10.test`)];
    const before = await who.facts(ann.id);
    await tell(of);
    const record = (await who.disputed()).filter((one) => one.displayName === `ann ${of}`);
    expect(record.map((one) => one.candidates.map(({ userId }: Loose) => userId).sort())).toEqual([[ann.id, ben.id].sort()]);
    expect(await who.facts(ann.id)).toEqual(before);
    expect(await who.user(ben.id)).toMatchObject({ displayName: `ben ${of}`, email: `ben.${of}@v10.test` });
  });
});
