/**
 * Sources that contradict themselves: one id on two rows or on two users, one person who is there and who left, one address of a leaver and a joiner. Nobody
 * is taken for another by it, and nothing of anybody is half done.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Loose } from '../support/api.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { countersignState, patchOf, type Said, userOf, Who } from '../support/who.ts';
import { sendFile } from '../support/world.ts';

let who: Who;
const basic = '000000000000000000BasicUser';
beforeAll(async () => {
  who = await Who.open();
});
afterAll(() => checkInventory(who.server.test.admin, who.server.id));

const reasonsOf = (sync: Loose): string[] => sync.warnings.map(({ line, reason }: Loose) => `${line}: ${reason}`);
const namesOf = async (employeeId: string): Promise<unknown[]> =>
  (
    await who.server.test.admin(
      'SELECT display_name AS name, email, status FROM users WHERE tenant_id = $1 AND employee_id = $2 ORDER BY id',
      [who.server.id, employeeId],
    )
  ).map(({ name, email, status }) => [name, email, status]);

describe('one employee id on two rows of a file', () => {
  const ann = (of: string, more = 'ACTIVE'): string => `ann.${of}@s.test,Ann ${of},42-${of},${more}`;
  const bob = (of: string): string => `bob.${of}@s.test,Bob ${of},42-${of},ACTIVE`;
  const other = (of: string): string => `o.${of}@s.test,Other ${of},o-${of},ACTIVE`;

  it.each([
    ['behind', false, false],
    ['before', true, false],
    ['behind, in another file', false, true],
    ['before, in another file', true, true],
  ])('another name and another address, %s those of the person, is nobody until somebody says', async (_where, isBefore, isOther) => {
    const of = who.fresh('share');
    await who.file(of, [ann(of), other(of)]);
    const { id } = await who.byAddress(`ann.${of}@s.test`);
    await who.makeSuper(id);
    const before = await who.facts(id);
    const rows = [ann(of), bob(of)];
    const source = isOther ? `${of}b` : of;
    const sync = await who.file(source, [...(isBefore ? rows.toReversed() : rows), other(of)]);
    // A person whom another file names first is that one's from now on, which is a change.
    expect([sync.added, sync.changed, sync.removed, sync.counts.people.disputed]).toEqual(['0', isOther ? '2' : '0', '0', '1']);
    expect(reasonsOf(sync).join()).toContain(`Bob ${of}`);
    expect(await who.facts(id)).toEqual(before);
    expect(await who.byAddress(`bob.${of}@s.test`)).toBeUndefined();
    const record = (await who.asked(`Bob ${of}`)) as Loose;
    expect([record.reason, record.candidates.map((one: Loose) => one.userId)]).toEqual(['PERSON_DISPUTE_REASON_SEVERAL_PEOPLE', [id]]);
    // The same file again asks nothing else; then somebody says, and it is never asked again.
    await who.file(source, [...rows, other(of)]);
    expect((await who.asked(`Bob ${of}`))?.id).toBe(record.id);
    const { userId } = (await who.answer(record.id, 'NEW_PERSON')).record;
    const done = await who.file(source, [...rows.toReversed(), other(of)]);
    expect([done.counts.people.disputed ?? '0', done.added]).toEqual(['0', '0']);
    expect(await who.facts(id)).toEqual(before);
    expect(await who.user(userId)).toMatchObject({ displayName: `Bob ${of}`, email: `bob.${of}@s.test`, roleIds: [basic] });
  });

  it.each([true, false])('the same name is a second account, and the person stays as they were: behind, %s', async (isBehind) => {
    const of = who.fresh('share');
    await who.file(of, [ann(of), other(of)]);
    const { id } = await who.byAddress(`ann.${of}@s.test`);
    const before = await who.facts(id);
    const second = `adm.${of}@s.test,ANN ${of},42-${of},ACTIVE`.replace('ANN', 'Ann\u00a0');
    const rows = isBehind ? [ann(of), second] : [second, ann(of)];
    const sync = await who.file(of, [...rows, other(of)]);
    expect([sync.added, sync.removed, sync.counts.people.disputed ?? '0']).toEqual(['0', '0', '0']);
    expect(await who.facts(id)).toEqual(before);
    const { appId } = await who.grants(of, `account,email,entitlement\na,ann.${of}@s.test,Use\nb,adm.${of}@s.test,Use\n`);
    expect(await who.owners(appId)).toEqual({ a: id, b: id });
    // The second one goes, and nothing of the person does.
    await who.file(of, [ann(of), other(of)]);
    expect(await who.facts(id)).toEqual(before);
    expect(await who.owners(appId)).toEqual({ a: id, b: null });
  });

  it('of nobody who is known is one new person where the names are equal, and two where not', async () => {
    const of = who.fresh('share');
    await who.file(of, [ann(of), `adm.${of}@s.test,Ann ${of},42-${of},ACTIVE`, other(of)]);
    expect(await namesOf(`42-${of}`)).toEqual([[`Ann ${of}`, `ann.${of}@s.test`, 'ENABLED']]);
    await who.file(of, [ann(of), other(of)]);
    expect(await namesOf(`42-${of}`)).toEqual([[`Ann ${of}`, `ann.${of}@s.test`, 'ENABLED']]);
    const two = who.fresh('share');
    await who.file(two, [ann(two), bob(two), other(two)]);
    const both = await namesOf(`42-${two}`);
    expect(both).toHaveLength(2);
    // The one who stays says what they always said, and is nobody else.
    const done = await who.file(two, [ann(two), other(two)]);
    expect([done.counts.people.disputed ?? '0', await namesOf(`42-${two}`)]).toEqual([
      '0',
      both.map((one) => ((one as string[])[0] === `Bob ${two}` ? [`Bob ${two}`, `bob.${two}@s.test`, 'DISABLED'] : one)),
    ]);
  });

  it('a row that was ignored stays so, whether its id stands on another row or not', async () => {
    const of = who.fresh('share');
    await who.file(of, [ann(of), other(of)]);
    await who.file(`${of}b`, [ann(of), bob(of)]);
    await who.answer((await who.asked(`Bob ${of}`))?.id, 'IGNORED');
    for (const rows of [[bob(of)], [ann(of), bob(of)], [bob(of), other(of)]]) {
      const sync = await who.file(`${of}b`, rows);
      expect([sync.added, sync.counts.people.disputed ?? '0']).toEqual(['0', '0']);
    }
  });
});

describe('one externalId of two users', () => {
  const said = (of: string, name: string): Said => ({
    externalId: `x-${of}`,
    active: true,
    name: `${name} ${of}`,
    email: `${name}.${of}@t.test`,
  });

  it('who say different things is nobody until somebody says, whatever comes meanwhile', async () => {
    const of = who.fresh('twice');
    await who.push(`ann-${of}`, said(of, 'ann'));
    const ann = await who.byAddress(`ann.${of}@t.test`);
    await who.makeSuper(ann.id);
    const before = await who.facts(ann.id);
    const second = await who.push(`bob-${of}`, { ...said(of, 'bob'), employeeId: `b-${of}` });
    expect(second[countersignState]).toEqual({ countersignState: 'DISPUTED' });
    expect([await who.facts(ann.id), (await who.owners(who.scim.appId))[`bob-${of}`]]).toEqual([before, null]);
    await who.scim.ok('PATCH', `/Users/${second.id}`, patchOf({ name: `Bobby ${of}` }));
    const record = (await who.asked(`Bobby ${of}`)) as Loose;
    expect([record.reason, record.candidates.map((one: Loose) => one.userId)]).toEqual(['PERSON_DISPUTE_REASON_SEVERAL_PEOPLE', [ann.id]]);
    const { userId } = (await who.answer(record.id, 'NEW_PERSON')).record;
    expect(userId).not.toBe(ann.id);
    await who.put(second.id, `bob-${of}`, said(of, 'bob'));
    expect([await who.facts(ann.id), (await who.user(userId)).displayName]).toEqual([before, `bob ${of}`]);
    expect((await who.owners(who.scim.appId))[`bob-${of}`]).toBe(userId);
  });

  it('and answered "same person" is one person with two accounts', async () => {
    const of = who.fresh('twice');
    await who.push(`ann-${of}`, said(of, 'ann'));
    const ann = await who.byAddress(`ann.${of}@t.test`);
    const second = await who.push(`bob-${of}`, said(of, 'bob'));
    await who.answer((await who.asked(`bob ${of}`))?.id, 'SAME_PERSON', ann.id);
    for (const name of ['bob', 'bobby']) {
      const put = await who.put(second.id, `bob-${of}`, said(of, name));
      expect([put[countersignState], (await who.owners(who.scim.appId))[`bob-${of}`]]).toEqual([undefined, ann.id]);
    }
    expect((await who.user(ann.id)).displayName).toBe(`ann ${of}`);
  });

  it('is no other person for a user who was somebody before', async () => {
    const of = who.fresh('twice');
    await who.push(`ann-${of}`, said(of, 'ann'));
    const { externalId: _, ...without } = said(of, 'bob');
    const { id } = await who.push(`bob-${of}`, without);
    const [ann, bob] = [await who.byAddress(`ann.${of}@t.test`), await who.byAddress(`bob.${of}@t.test`)];
    const before = await who.facts(ann.id);
    await who.put(id, `bob-${of}`, said(of, 'bob'));
    expect([await who.facts(ann.id), (await who.user(bob.id)).status, (await who.owners(who.scim.appId))[`bob-${of}`]]).toEqual([
      before,
      'ENABLED',
      bob.id,
    ]);
  });

  it('who say the same name is one person with two accounts', async () => {
    const of = who.fresh('twice');
    await who.push(`ann-${of}`, said(of, 'ann'));
    const ann = await who.byAddress(`ann.${of}@t.test`);
    await who.push(`adm-${of}`, { ...said(of, 'ann'), email: `adm.${of}@t.test` });
    expect((await who.owners(who.scim.appId))[`adm-${of}`]).toBe(ann.id);
  });
});

describe('TERMINATED', () => {
  const row = (of: string, status: string, address = `leo.${of}@u.test`): string => `${address},Leo ${of},7-${of},${status}`;
  const other = (of: string): string => `o.${of}@u.test,Other ${of},o-${of},ACTIVE`;
  const said = (of: string, more: Said = {}): Said => ({
    externalId: `x-${of}`,
    active: true,
    name: `Leo ${of}`,
    email: `leo.${of}@u.test`,
    employeeId: `7-${of}`,
    ...more,
  });

  it.each([
    ['a provider says active all the time', false],
    ['a provider deletes the user and pushes it anew', true],
  ])('is the last word of a file that drops the row, until the file takes it back: %s', async (_how, isAnew) => {
    const of = who.fresh('leo');
    let { id: scimId } = await who.push(`leo-${of}`, said(of));
    const { id } = await who.byAddress(`leo.${of}@u.test`);
    await who.file(of, [row(of, 'ACTIVE'), other(of)]);
    await who.ok('PUT', `/api/v1/users/${id}/roles`, { roleIds: ['000000CampaignAdministrator'] });
    await who.file(of, [row(of, 'TERMINATED'), other(of)]);
    if (isAnew) {
      await who.scim.ok('DELETE', `/Users/${scimId}`, undefined, 204);
    }
    await who.file(of, [other(of)]);
    if (isAnew) {
      scimId = (await who.push(`leo-${of}`, said(of))).id;
    }
    await who.put(scimId, `leo-${of}`, said(of, { name: `Leo L ${of}` }));
    const [event] = await who.server.test.admin('SELECT data FROM events WHERE tenant_id = $1 ORDER BY id DESC LIMIT 1', [who.server.id]);
    expect([(await who.user(id)).status, event?.data]).toEqual(['DISABLED', expect.objectContaining({ stays: 'terminated' })]);
    await who.scim.ok('DELETE', `/Users/${scimId}`, undefined, 204);
    await who.push(`leo-${of}`, said(of));
    await who.file(`${of}b`, [row(of, 'ACTIVE')]);
    expect(await who.user(id)).toMatchObject({ status: 'DISABLED', roleIds: [basic] });
    await who.file(of, [row(of, 'ACTIVE'), other(of)]);
    expect(await who.user(id)).toMatchObject({ status: 'ENABLED', roleIds: [basic] });
    expect((await who.ok('GET', `/api/v1/users/${id}/suspensions`)).list).toHaveLength(1);
    // Dropped without that word, they are there as long as anybody says so.
    await who.file(of, [other(of)]);
    expect((await who.user(id)).status).toBe('ENABLED');
  });

  it.each([true, false])('on one of two rows of a person is TERMINATED, and the import says so: before the other, %s', async (isBefore) => {
    const of = who.fresh('leo');
    await who.file(of, [row(of, 'ACTIVE'), other(of)]);
    const { id } = await who.byAddress(`leo.${of}@u.test`);
    const rows = [row(of, 'TERMINATED', `old.${of}@u.test`), row(of, 'ACTIVE')];
    const sync = await who.file(of, [...(isBefore ? rows : rows.toReversed()), other(of)]);
    expect(await who.user(id)).toMatchObject({ status: 'DISABLED', employmentStatus: 'TERMINATED', email: `leo.${of}@u.test` });
    expect(reasonsOf(sync).filter((one) => one.includes('count as TERMINATED'))).toHaveLength(1);
    await who.push(`leo-${of}`, said(of));
    expect((await who.user(id)).status).toBe('DISABLED');
    const done = await who.file(of, [row(of, 'ACTIVE'), other(of)]);
    expect(reasonsOf(done)).toEqual([]);
    expect(await who.user(id)).toMatchObject({ status: 'ENABLED', employmentStatus: 'ACTIVE', email: `leo.${of}@u.test` });
  });
});

describe('the address of a leaver and of a joiner in one file', () => {
  const carl = (of: string, status: string): string => `c.${of}@w.test,Carl ${of},501-${of},${status}`;
  const cora = (of: string): string => `c.${of}@w.test,Cora ${of},777-${of},ACTIVE`;
  it.each([
    ['of somebody known, before', true, true],
    ['of somebody known, behind', true, false],
    ['of somebody unknown, before', false, true],
    ['of somebody unknown, behind', false, false],
  ])('is the joiner’s: %s', async (_how, isKnown, isBefore) => {
    const of = who.fresh('carl');
    if (isKnown) {
      await who.file(of, [carl(of, 'ACTIVE')]);
      await who.makeSuper((await who.byAddress(`c.${of}@w.test`)).id);
    }
    const rows = [carl(of, 'TERMINATED'), cora(of)];
    const sync = await who.file(of, isBefore ? rows : rows.toReversed());
    expect(reasonsOf(sync)[0]).toContain(`stands on line ${isBefore ? 3 : 2}, too: this person left`);
    const found = await who.byAddress(`c.${of}@w.test`);
    expect([found.displayName, found.status, found.roleIds]).toEqual([`Cora ${of}`, 'ENABLED', [basic]]);
    expect(await namesOf(`501-${of}`)).toEqual([[`Carl ${of}`, '', 'DISABLED']]);
    const again = await who.file(of, isBefore ? rows.toReversed() : rows);
    expect([again.added, again.changed, again.removed, again.counts.people.disputed ?? '0']).toEqual(['0', '0', '0', '0']);
  });
  it('is refused where the leaver is known by the address alone: nobody would be told from the joiner by it', async () => {
    const of = who.fresh('carl');
    await who.file(of, [`c.${of}@w.test,Carl ${of}`], 'email,display_name');
    const { id } = await who.byAddress(`c.${of}@w.test`);
    const text = `email,display_name,employee_id,employment_status\n${carl(of, 'TERMINATED')}\n${cora(of)}\n`;
    expect((await sendFile(who.server, who.server.admin, `/api/v1/imports/people?source=${of}`, text)).status).toBe(400);
    expect(await who.user(id)).toMatchObject({ displayName: `Carl ${of}`, status: 'ENABLED' });
  });

  it('is refused where both are there', async () => {
    const of = who.fresh('carl');
    const text = `email,display_name,employee_id,employment_status\n${carl(of, 'ACTIVE')}\n${cora(of)}\n`;
    const { status, body } = await sendFile(who.server, who.server.admin, `/api/v1/imports/people?source=${of}`, text);
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('stands on line 2 already')]);
  });
});

it('users of a provider keep apart who swap what files say of them', async () => {
  const of = who.fresh('mix');
  const rows = (first: string, second: string): string[] => [
    `${first}.${of}@m.test,Ann ${of},A-${of},ACTIVE`,
    `${second}.${of}@m.test,Ben ${of},B-${of},ACTIVE`,
  ];
  const said = (name: string, address: string): Said => ({
    externalId: `x-${name}-${of}`,
    active: true,
    name: `${name} ${of}`,
    email: `${address}.${of}@m.test`,
  });
  await who.file(of, rows('a', 'b'));
  const [ann, ben] = [await who.byAddress(`a.${of}@m.test`), await who.byAddress(`b.${of}@m.test`)];
  const users = { Ann: (await who.push(`ann-${of}`, said('Ann', 'a'))).id, Ben: (await who.push(`ben-${of}`, said('Ben', 'b'))).id };
  await who.file(of, rows('b', 'a'));
  const check = async (): Promise<void> => {
    const found = [await who.user(ann.id), await who.user(ben.id)];
    expect(found.map(({ displayName, status }) => [displayName, status])).toEqual([
      [`Ann ${of}`, 'ENABLED'],
      [`Ben ${of}`, 'ENABLED'],
    ]);
  };
  for (const [name, address] of [
    ['Ann', 'a'],
    ['Ben', 'b'],
    ['Ben', 'a'],
    ['Ann', 'b'],
    ['Ben', 'b'],
    ['Ann', 'a'],
  ] as const) {
    const answer = await who.scim.send('PUT', `/Users/${users[name]}`, userOf(`${name.toLowerCase()}-${of}`, said(name, address)));
    expect([200, 409]).toContain(answer.status);
    await check();
  }
  await who.file(of, rows('b', 'a'));
  await check();
  expect([(await who.user(ann.id)).email, (await who.user(ben.id)).email]).toEqual([`b.${of}@m.test`, `a.${of}@m.test`]);
});
