/**
 * The worked examples, meaner: forms of ids, columns that come and go, one person in two files, rehearsals, refused files, groups that name somebody who is
 * disputed, and answers that are given twice or outrun.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Loose } from '../support/api.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { patch, urn } from '../support/scim.ts';
import { countersignState, patchOf, type Said, userOf, Who } from '../support/who.ts';
import { sendFile } from '../support/world.ts';

let who: Who;
const basic = '000000000000000000BasicUser';
beforeAll(async () => {
  who = await Who.open();
});
afterAll(() => checkInventory(who.server.test.admin, who.server.id));

const ids = async (table: string, where = 'true'): Promise<unknown[]> =>
  who.server.test.admin(`SELECT * FROM ${table} WHERE tenant_id = $1 AND ${where} ORDER BY id`, [who.server.id]);
const known = async (): Promise<unknown> => [await ids('users'), await ids('person_records')];

describe('over SCIM', () => {
  const said = (of: string, name: string, more: Said = {}): Said => ({
    externalId: `x-${name}-${of}`,
    active: true,
    name: `${name} ${of}`,
    email: `${name}.${of}@y.test`,
    employeeId: `${name}-${of}`,
    ...more,
  });

  it('example 1: a leaver’s user name with a no-break space and in capitals, without a path, in the words of another provider', async () => {
    const of = who.fresh('kmiller');
    const { id } = await who.push(of, said(of, 'karl'));
    const { id: karlId } = await who.byName(`karl ${of}`);
    await who.makeSuper(karlId);
    await who.scim.ok('PATCH', `/Users/${id}`, patch({ op: 'Replace', value: { active: 'False' } }));
    expect((await who.user(karlId)).status).toBe('DISABLED');
    const kim = said(of, 'kim');
    await who.scim.ok(
      'PATCH',
      `/Users/${id}`,
      patch({
        op: 'Replace',
        value: {
          userName: `${of.toUpperCase()}\u00a0`,
          externalId: kim.externalId,
          displayName: kim.name,
          active: 'True',
          emails: [{ value: kim.email, primary: true }],
          [`${urn.enterprise}:employeeNumber`]: `${kim.employeeId}\u00a0`,
        },
      }),
    );
    const found = await who.byName(`kim ${of}`);
    expect([found.status, (await who.user(found.id)).roleIds, (await who.user(found.id)).employeeIds]).toEqual([
      'ENABLED',
      [basic],
      [`kim-${of}`],
    ]);
    expect(await who.user(karlId)).toMatchObject({ status: 'DISABLED', displayName: `karl ${of}`, employeeIds: [`karl-${of}`] });
  });

  it('a user name goes to a joiner, and accounts that say nothing else go along; what the leaver alone had stays', async () => {
    const of = who.fresh('kmiller');
    const { id } = await who.push(of, said(of, 'karl'));
    const { id: karlId } = await who.byName(`karl ${of}`);
    const { appId } = await who.grants(of, `account,username,employee_id,entitlement\na,${of},,Use\nb,,karl-${of},Use\n`);
    expect(await who.owners(appId)).toEqual({ a: karlId, b: karlId });
    await who.scim.ok('DELETE', `/Users/${id}`, undefined, 204);
    expect(await who.owners(appId)).toEqual({ a: karlId, b: karlId });
    await who.push(of, said(of, 'kim'));
    const { id: kimId } = await who.byName(`kim ${of}`);
    expect(await who.owners(appId)).toEqual({ a: kimId, b: karlId });
    const again = await who.grants(`${of}b`, `account,username,employee_id,entitlement\na,${of},,Use\nb,,karl-${of},Use\n`);
    expect(await who.owners(again.appId)).toEqual({ a: kimId, b: karlId });
    // Karl is back under another user name: the old one is Kim's all the same.
    await who.push(`${of}2`, said(of, 'karl'));
    expect((await who.owners(appId))['a']).toBe(kimId);
  });

  it('user names are swapped by a third one, and accounts, memberships and people stay together', async () => {
    const of = who.fresh('swap');
    const [ann, ben] = [await who.push(`ann-${of}`, said(of, 'ann')), await who.push(`ben-${of}`, said(of, 'ben'))];
    const [annId, benId] = [(await who.byName(`ann ${of}`)).id, (await who.byName(`ben ${of}`)).id];
    await who.scim.addGroup(`Anns ${of}`, [ann.id]);
    expect((await who.scim.send('PUT', `/Users/${ann.id}`, userOf(`ben-${of}`, said(of, 'ann')))).status).toBe(409);
    for (const [id, name, userName] of [
      [ann.id, 'ann', `tmp-${of}`],
      [ben.id, 'ben', `ann-${of}`],
      [ann.id, 'ann', `ben-${of}`],
    ]) {
      await who.put(id, userName, said(of, name));
    }
    expect(await who.owners(who.scim.appId)).toMatchObject({ [`ben-${of}`]: annId, [`ann-${of}`]: benId });
    expect((await who.scim.ok('GET', `/Users/${ann.id}`)).groups).toHaveLength(1);
    expect((await who.scim.ok('GET', `/Users/${ben.id}`)).groups).toBeUndefined();
    expect([(await who.user(annId)).username, (await who.user(benId)).username]).toEqual([`ben-${of}`, `ann-${of}`]);
  });

  it('an address that somebody has who is there is refused with the way out, and the way out works', async () => {
    const of = who.fresh('swap');
    const [ann, ben] = [await who.push(`ann-${of}`, said(of, 'ann')), await who.push(`ben-${of}`, said(of, 'ben'))];
    const [annId, benId] = [(await who.byName(`ann ${of}`)).id, (await who.byName(`ben ${of}`)).id];
    const put = (id: string, name: string, email: string): Promise<Loose> =>
      who.scim.send('PUT', `/Users/${id}`, userOf(`${name}-${of}`, said(of, name, { email: `${email}.${of}@y.test` })));
    const refused = await put(ann.id, 'ann', 'ben');
    expect([refused.status, refused.body.scimType]).toEqual([409, 'uniqueness']);
    expect(refused.body.detail).toMatch(/push their user with the new one first: of two who swap, one takes another address in between/);
    for (const [id, name, email] of [
      [ann.id, 'ann', 'tmp'],
      [ben.id, 'ben', 'ann'],
      [ann.id, 'ann', 'ben'],
    ] as const) {
      expect((await put(id, name, email)).status).toBe(200);
    }
    expect([(await who.user(annId)).email, (await who.user(benId)).email]).toEqual([`ben.${of}@y.test`, `ann.${of}@y.test`]);
  });

  it('a group names somebody who is disputed: whoever they turn out to be holds it, and nobody where they are ignored', async () => {
    const of = who.fresh('desk');
    await who.push(`ann-${of}`, said(of, 'ann'));
    const ann = await who.byName(`ann ${of}`);
    const before = await who.facts(ann.id);
    const group = await who.scim.addGroup(`Desk ${of}`);
    for (const [name, verdict] of [
      ['one', 'SAME_PERSON'],
      ['two', 'NEW_PERSON'],
      ['six', 'IGNORED'],
    ] as const) {
      const user = await who.push(`${name}-${of}`, said(of, name, { email: `ann.${of}@y.test` }));
      expect(user[countersignState]).toEqual({ countersignState: 'DISPUTED' });
      await who.scim.ok('PATCH', `/Groups/${group}`, patch({ op: 'add', path: 'members', value: [{ value: user.id }] }), 204);
      expect((await who.owners(who.scim.appId))[`${name}-${of}`]).toBeNull();
      const { userId } = (await who.answer((await who.asked(`${name} ${of}`))?.id, verdict, verdict === 'SAME_PERSON' ? ann.id : ''))
        .record;
      const owner = verdict === 'IGNORED' ? null : verdict === 'SAME_PERSON' ? ann.id : userId;
      // Pushed again with other values, the answer holds.
      await who.put(user.id, `${name}-${of}`, said(of, name, { email: `own.${name}.${of}@y.test`, name: `Other ${name} ${of}` }));
      expect((await who.owners(who.scim.appId))[`${name}-${of}`]).toBe(owner);
      expect((await who.scim.ok('GET', `/Users/${user.id}`)).groups).toHaveLength(1);
      expect(await who.asked(`Other ${name} ${of}`)).toBeUndefined();
    }
    expect(await who.facts(ann.id)).toEqual(before);
  });

  it('is not asked any more once the candidate left: the address moves on, and nothing else does', async () => {
    const of = who.fresh('cand');
    const { id } = await who.push(`ann-${of}`, said(of, 'ann'));
    const ann = await who.byName(`ann ${of}`);
    await who.makeSuper(ann.id);
    const bob = said(of, 'bob', { email: `ann.${of}@y.test` });
    const user = await who.push(`bob-${of}`, bob);
    await who.scim.ok('DELETE', `/Users/${id}`, undefined, 204);
    expect((await who.user(ann.id)).status).toBe('DISABLED');
    expect((await who.put(user.id, `bob-${of}`, bob))[countersignState]).toBeUndefined();
    const found = await who.byAddress(`ann.${of}@y.test`);
    expect([found.displayName, found.roleIds, (await who.user(ann.id)).email]).toEqual([`bob ${of}`, [basic], '']);
  });

  it('is asked again where a disputed user was deleted and comes again, and never once it was answered', async () => {
    const of = who.fresh('cand');
    await who.push(`ann-${of}`, said(of, 'ann'));
    const bob = said(of, 'bob', { email: `ann.${of}@y.test` });
    const first = await who.push(`bob-${of}`, bob);
    await who.scim.ok('DELETE', `/Users/${first.id}`, undefined, 204);
    expect(await who.asked(`bob ${of}`)).toBeUndefined();
    const again = await who.push(`bob-${of}`, bob);
    const { userId } = (await who.answer((await who.asked(`bob ${of}`))?.id, 'NEW_PERSON')).record;
    await who.scim.ok('DELETE', `/Users/${again.id}`, undefined, 204);
    expect((await who.user(userId)).status).toBe('DISABLED');
    await who.push(`bob2-${of}`, bob);
    expect([(await who.user(userId)).status, (await who.owners(who.scim.appId))[`bob2-${of}`]]).toEqual(['ENABLED', userId]);
  });

  it('example 4: a claim that is accepted enables nobody whom a file calls TERMINATED, or called so last', async () => {
    const of = who.fresh('claim');
    const row = (name: string, status: string): string => `${name}.${of}@y.test,${name} ${of},${name}-${of},${status}`;
    await who.file(of, [row('ann', 'ACTIVE'), row('zoe', 'ACTIVE')]);
    const ann = await who.byAddress(`ann.${of}@y.test`);
    const user = await who.other.ok('POST', '/Users', userOf(of, said(of, 'ann')), 201);
    const acceptAll = async (): Promise<void> => {
      const { list } = await who.ok('GET', `/api/v1/person_claims?user_id=${ann.id}`);
      for (const { id } of list.filter(({ state }: Loose) => state === 'PERSON_CLAIM_STATE_WAITING')) {
        await who.ok('POST', `/api/v1/person_claims/${id}/action/accept`, {});
      }
    };
    for (const rows of [[row('ann', 'TERMINATED'), row('zoe', 'ACTIVE')], [row('zoe', 'ACTIVE')]]) {
      await who.file(of, rows);
      await who.other.ok('PATCH', `/Users/${user.id}`, patchOf({ active: true, name: `ann ${rows.length} ${of}` }));
      await acceptAll();
      expect((await who.user(ann.id)).status).toBe('DISABLED');
    }
  });

  it('is answered twice at once: one answer counts, and one person is made', async () => {
    const of = who.fresh('race');
    await who.push(`ann-${of}`, said(of, 'ann'));
    const ann = await who.byName(`ann ${of}`);
    const user = await who.push(`bob-${of}`, said(of, 'bob', { email: `ann.${of}@y.test` }));
    const record = (await who.asked(`bob ${of}`)) as Loose;
    const answers = await Promise.all(
      [
        { verdict: 'PERSON_RECORD_VERDICT_NEW_PERSON' },
        { verdict: 'PERSON_RECORD_VERDICT_SAME_PERSON', userId: ann.id },
        { verdict: 'PERSON_RECORD_VERDICT_NEW_PERSON' },
      ].map((body) => who.admin('POST', `/api/v1/identity/records/${record.id}/action/answer`, body)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const records = await who.whose(who.scim.connectorId, `x-bob-${of}`);
    expect((await who.owners(who.scim.appId))[`bob-${of}`]).toBe(records?.userId);
    const made = await ids('users', `display_name = 'bob ${of}'`);
    expect(made).toHaveLength(records?.userId === ann.id ? 0 : 1);
    expect((await who.scim.ok('GET', `/Users/${user.id}`))[countersignState]).toBeUndefined();
  });

  it('an externalId that is removed and given to somebody else takes nobody along', async () => {
    const of = who.fresh('ext');
    const { id } = await who.push(`ann-${of}`, said(of, 'ann'));
    const ann = await who.byName(`ann ${of}`);
    await who.makeSuper(ann.id);
    await who.scim.ok('PATCH', `/Users/${id}`, patch({ op: 'remove', path: 'externalId' }));
    const before = await who.facts(ann.id);
    await who.push(`bob-${of}`, said(of, 'bob', { externalId: `x-ann-${of}` }));
    expect([await who.facts(ann.id), (await who.owners(who.scim.appId))[`bob-${of}`]]).toEqual([before, null]);
    // The id of the first user again, as it was.
    await who.put(id, `ann-${of}`, said(of, 'ann'));
    expect(await who.facts(ann.id)).toEqual(before);
  });

  it('whoever is deleted and pushed with the same externalId, and nothing else the same, is the same person and holds nothing', async () => {
    const of = who.fresh('ext');
    const { id } = await who.push(`ann-${of}`, said(of, 'ann'));
    const ann = await who.byName(`ann ${of}`);
    await who.makeSuper(ann.id);
    await who.scim.ok('DELETE', `/Users/${id}`, undefined, 204);
    await who.push(`neu-${of}`, said(of, 'neu', { externalId: `x-ann-${of}` }));
    const back = await who.user(ann.id);
    expect([back.status, back.roleIds]).toEqual(['ENABLED', [basic]]);
    expect((await who.owners(who.scim.appId))[`neu-${of}`]).toBe(ann.id);
    // What says who somebody is waits, since something is to be restored to whom it was.
    expect([back.email, back.employeeIds]).toEqual([`ann.${of}@y.test`, [`ann-${of}`]]);
  });
});

describe('by file', () => {
  const withId = 'email,display_name,employee_id,employment_status';
  const row = (of: string, name: string, address = name, status = 'ACTIVE'): string =>
    `${address}.${of}@z.test,${name} ${of},${name}-${of},${status}`;

  it('the column of the ids goes and comes, and everybody stays who they are, also where an address is given again meanwhile', async () => {
    const of = who.fresh('col');
    const plain = (name: string, address = name): string => `${address}.${of}@z.test,${name} ${of}`;
    await who.file(of, [plain('ann'), plain('ben')], 'email,display_name');
    const [ann, ben] = [await who.byAddress(`ann.${of}@z.test`), await who.byAddress(`ben.${of}@z.test`)];
    await who.file(of, [row(of, 'ann'), row(of, 'ben')]);
    await who.file(of, [plain('ann'), plain('ben')], 'email,display_name');
    await who.file(of, [row(of, 'ann', 'ben'), row(of, 'ben', 'ann')]);
    expect([(await who.user(ann.id)).email, (await who.user(ben.id)).email]).toEqual([`ben.${of}@z.test`, `ann.${of}@z.test`]);
    // Ben goes, and Cid gets his address while the file has no ids: nobody can tell, so it is asked.
    await who.file(of, [plain('ann', 'ben')], 'email,display_name');
    expect((await who.user(ben.id)).status).toBe('DISABLED');
    const done = await who.file(of, [plain('ann', 'ben'), plain('cid', 'ann')], 'email,display_name');
    expect([done.counts.people.disputed, (await who.user(ben.id)).status]).toEqual(['1', 'DISABLED']);
    // With the ids it is clear.
    const clear = await who.file(of, [row(of, 'ann', 'ben'), row(of, 'cid', 'ann')]);
    expect([clear.counts.people.disputed ?? '0', clear.added]).toEqual(['0', '1']);
    expect([(await who.user(ben.id)).status, (await who.byAddress(`ann.${of}@z.test`)).displayName]).toEqual(['DISABLED', `cid ${of}`]);
  });

  it('one person in two files, in either order and in any form, is one', async () => {
    const of = who.fresh('Zoë');
    const rows = [`zoe.${of}@z.test,Zoë ${of},Z-${of},ACTIVE`, row(of, 'ann')];
    const forms = rows.map((one) => `\u200b${one.normalize('NFD')}`.replace(/Z-/, '\u00a0Z\u200b-'));
    await who.file(of, rows);
    const before = await known();
    for (const [source, text] of [
      [`${of}b`, forms.toReversed()],
      [of, forms],
      [`${of}b`, rows],
      [of, rows.toReversed()],
      [`${of}b`, rows],
    ] as const) {
      const done = await who.file(source, text);
      expect([done.added, done.removed, done.counts.people.disputed ?? '0']).toEqual(['0', '0', '0']);
    }
    expect((await ids('users')).length).toBe((before as Loose)[0].length);
  });

  it('a rehearsal and a refused file change nothing, and the same file again neither', async () => {
    const of = who.fresh('dry');
    await who.file(of, [row(of, 'ann'), row(of, 'ben'), row(of, 'cid')]);
    const next = [row(of, 'ann', 'ben'), row(of, 'ben', 'ann'), `cid.${of}@z.test,Dora ${of},d-${of},ACTIVE`];
    const before = await known();
    const path = `/api/v1/imports/people?source=${of}`;
    const text = `${[withId, ...next].join('\n')}\n`;
    const dry = await sendFile(who.server, who.server.admin, `${path}&allow_removals=true&dry_run=true`, text);
    expect([dry.status, await known()]).toEqual([200, before]);
    // Everybody but one would be gone.
    const refused = await sendFile(who.server, who.server.admin, path, `${withId}\nx.${of}@z.test,Xen ${of},x-${of},ACTIVE\n`);
    const broken = await sendFile(who.server, who.server.admin, path, `${text}ann.${of}@z.test,Ann,,RETIRED\n`);
    expect([refused.status, broken.status, await known()]).toEqual([400, 400, before]);
    const done = await who.file(of, next);
    expect(['added', 'changed', 'removed'].map((one) => dry.body.import[one])).toEqual([done.added, done.changed, done.removed]);
    const after = await known();
    const again = await who.file(of, next);
    expect([again.added, again.changed, again.removed]).toEqual(['0', '0', '0']);
    expect(await known()).toEqual(after);
  });

  it('what the command line imports is correlated as what the API does, and answered there', async () => {
    const of = who.fresh('cli');
    const env = environmentFor(who.server.url, who.server.admin.credential);
    const folder = mkdtempSync(join(tmpdir(), 'people-'));
    const path = join(folder, 'people.csv');
    const run = async (rows: readonly string[]): Promise<string> => {
      writeFileSync(path, `${[withId, ...rows].join('\n')}\n`);
      const done = await runInProcess(['import', 'people', path, '--source', of, '--allow-removals'], { env });
      expect(done.code).toBe(0);
      return done.stderr;
    };
    await run([row(of, 'ann'), row(of, 'carl', 'desk', 'TERMINATED')]);
    const carl = await who.byAddress(`desk.${of}@z.test`);
    expect(await run([row(of, 'ann'), `desk.${of}@z.test,Cora ${of},,ACTIVE`])).toContain(`"Cora ${of}"`);
    const record = (await who.asked(`Cora ${of}`)) as Loose;
    const answered = await runInProcess(['identity', 'answer', record.id, '--new-person'], { env });
    rmSync(folder, { recursive: true });
    expect([answered.stderr, (await who.byAddress(`desk.${of}@z.test`)).displayName]).toEqual(['', `Cora ${of}`]);
    expect((await who.user(carl.id)).displayName).toBe(`carl ${of}`);
  });

  it('what was ignored says why it was asked, after any number of files', async () => {
    const of = who.fresh('ign');
    await who.file(of, [row(of, 'ann')]);
    const ann = await who.byAddress(`ann.${of}@z.test`);
    const other = `${of}b`;
    await who.file(other, [`ann.${of}@z.test,Bob ${of},b-${of},ACTIVE`]);
    await who.answer((await who.asked(`Bob ${of}`))?.id, 'IGNORED');
    for (const name of ['Bob', 'Bob', 'Rob']) {
      await who.file(other, [`ann.${of}@z.test,${name} ${of},b-${of},ACTIVE`]);
    }
    const { list } = await who.ok('GET', '/api/v1/identity/disputed?verdict=PERSON_RECORD_VERDICT_IGNORED&page_size=100');
    const ignored = list.find((one: Loose) => one.displayName === `Rob ${of}`);
    expect([ignored.reason, ignored.candidates.map((one: Loose) => one.userId)]).toEqual(['PERSON_DISPUTE_REASON_OTHER_ID', [ann.id]]);
    // Over SCIM, too.
    const said: Said = { externalId: `x1-${of}`, active: true, name: `Ann ${of}`, email: `a.${of}@z.test` };
    await who.push(`a1-${of}`, said);
    const user = await who.push(`a2-${of}`, { ...said, externalId: `x2-${of}`, name: `Abe ${of}` });
    await who.answer((await who.asked(`Abe ${of}`))?.id, 'IGNORED');
    await who.scim.ok('PATCH', `/Users/${user.id}`, patchOf({ name: `Gabe ${of}` }));
    const again = (await who.ok('GET', '/api/v1/identity/disputed?verdict=PERSON_RECORD_VERDICT_IGNORED&page_size=100')).list;
    expect(again.find((one: Loose) => one.displayName === `Gabe ${of}`).candidates).toHaveLength(1);
  });
});
