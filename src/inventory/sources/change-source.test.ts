/** Connectors as records: what they may be, what a change leaves alone, what is reported about it; names, numbers and people of one app. */
import type { JsonObject } from '@bufbuild/protobuf';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import type { Context } from '../../context.ts';
import { createApp } from '../catalog/apps/create-app.ts';
import { insertPrincipal, removePrincipal } from '../../foundation/directory/index.ts';
import { changeSource, createSource, deleteSource, setPaused, setRemovalShare } from './change-source.ts';
import { contentAsSent } from './content.ts';
import { ensureSource, findWantedSource } from './ensure-source.ts';
import { requireSourceOf } from './require.ts';
import { findSyncSourceById, updateLastSync } from './store-sync.ts';

let test: TwoTenants;
let context: Context;
let appId: string;
let count = 0;
beforeAll(async () => {
  test = await useTwoTenants();
  context = test.ours.admin;
});
afterAll(() => test.close());
beforeEach(async () => {
  appId = (await createApp(context, { displayName: `App ${++count}` }, [])).id;
});

const make = (sent: JsonObject = {}) => createSource(context, appId, sent);
const events = (id: string): Promise<{ kind: string; data: JsonObject }[]> =>
  context.db.rows('SELECT kind, data FROM events WHERE tenant_id = $1 AND target_id = $2 ORDER BY id', [context.tenantId, id]);

describe('a source', () => {
  it('has a number of its own that is never given again, and a name that no other of its app has', async () => {
    const [one, two] = [await make(), await make()];
    expect([one.sourceNo, one.displayName, two.sourceNo, two.displayName]).toEqual([1, 'Source 1', 2, 'Source 2']);
    await expect(make({ displayName: ' SOURCE 2 ' })).rejects.toMatchObject({ code: 'CONFLICT' });
    await deleteSource(context, appId, two.id);
    const three = await make({ displayName: 'source 2' });
    expect(three.sourceNo).toBe(3);
    await expect(changeSource(context, appId, one.id, { displayName: 'Source 2' }, undefined)).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect(await changeSource(context, appId, one.id, { displayName: 'SOURCE 1' }, undefined)).toMatchObject({
      displayName: 'SOURCE 1',
    });
    const elsewhere = await createApp(context, { displayName: `Other ${count}` }, []);
    expect((await createSource(context, elsewhere.id, { displayName: 'Source 1' })).sourceNo).toBe(1);
    await expect(requireSourceOf(context, elsewhere.id, one.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each<[JsonObject, string[]]>([
    [{ displayName: 'x'.repeat(201) }, ['displayName']],
    [{ description: 'x'.repeat(4001) }, ['description']],
    [{ userIds: Array.from({ length: 1001 }, (_, n) => `u${n}`) }, ['userIds']],
    [{ displayName: 'x'.repeat(201), description: 'x'.repeat(4001) }, ['displayName', 'description']],
    [{ config: { '@type': 'type.googleapis.com/x', text: 'x'.repeat(65_536) } }, ['config']],
  ])('is refused with all that is wrong: %#', async (sent, fields) => {
    const problem = await make(sent).catch((error: unknown) => error);
    expect(problem).toMatchObject({ code: 'INVALID_ARGUMENT', violations: fields.map((field) => ({ field })) });
    const { id } = await make();
    const change = await changeSource(context, appId, id, sent, undefined).catch((error: unknown) => error);
    expect(change).toMatchObject({ violations: fields.map((field) => ({ field: `connector.${field}` })) });
  });

  it('may be changed though one of its people has gone since; but nobody who is not there is added', async () => {
    await insertPrincipal(context, `robot${count}`, 'Robot');
    const { id } = await make({ userIds: [`robot${count}`, test.ours.basicId] });
    await removePrincipal(context, `robot${count}`);
    expect(await changeSource(context, appId, id, { description: 'New' }, undefined)).toMatchObject({ description: 'New' });
    const added = changeSource(context, appId, id, { userIds: [test.ours.basicId, 'nobody'] }, undefined);
    await expect(added).rejects.toMatchObject({ violations: [{ field: 'connector.userIds[1]' }] });
    expect((await changeSource(context, appId, id, { userIds: [test.ours.basicId] }, undefined)).userIds).toEqual([test.ours.basicId]);
  });

  it('is what it was but for the members a mask names, whatever is sent; and one event tells what is another', async () => {
    const texts = fc.constantFrom('', 'one', 'two');
    const content = fc.record({
      description: texts,
      catalogId: texts,
      profileAllowList: fc.array(texts, { maxLength: 2 }),
      parallelSyncWorkerCount: fc.nat(3),
      disableCheckBadSync: fc.boolean(),
      syncConfig: fc.record({ syncResourceTypeIds: fc.array(texts, { maxLength: 2 }) }),
    });
    const members = [
      'description',
      'catalogId',
      'profileAllowList',
      'parallelSyncWorkerCount',
      'disableCheckBadSync',
      'syncConfig',
    ] as const;
    const { id } = await make({ displayName: 'Random' });
    await fc.assert(
      fc.asyncProperty(content, fc.subarray([...members], { minLength: 1 }), async (sent, mask) => {
        const before = contentAsSent(await requireSourceOf(context, appId, id));
        const told = (await events(id)).length;
        const after = contentAsSent(await changeSource(context, appId, id, sent, mask));
        for (const member of members) {
          const wanted = mask.includes(member) ? sent[member] : (before[member] ?? defaults[member]);
          expect([member, after[member] ?? defaults[member]]).toEqual([member, wanted]);
        }
        const fields = members.filter((member) => JSON.stringify(before[member]) !== JSON.stringify(after[member]));
        const [event, ...others] = (await events(id)).slice(told);
        expect(others).toEqual([]);
        expect(event?.data.fields ?? []).toEqual([...fields].sort());
      }),
      { numRuns: 25 },
    );
  });
  const defaults: Readonly<Record<string, unknown>> = {
    catalogId: '',
    profileAllowList: [],
    parallelSyncWorkerCount: 0,
    syncConfig: { syncResourceTypeIds: [] },
  };

  it('is paused and resumed once each, and refuses files meanwhile', async () => {
    const { id, displayName } = await make();
    await setPaused(context, appId, id, true);
    await setPaused(context, appId, id, true);
    const wanted = { sourceId: id, name: '' };
    await expect(findWantedSource(context, appId, wanted)).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
    await expect(ensureSource(context, appId, { sourceId: '', name: displayName })).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
    });
    await setPaused(context, appId, id, false);
    expect(await findWantedSource(context, appId, wanted)).toMatchObject({ id });
    expect((await events(id)).map(({ kind }) => kind)).toEqual(['connector.created', 'connector.paused', 'connector.resumed']);
  });

  it('holds a share that may be taken away, from none to all', async () => {
    const { id } = await make();
    for (const share of [-1, 101]) {
      await expect(Promise.resolve().then(() => setRemovalShare(context, id, share))).rejects.toMatchObject({
        violations: [{ field: 'removalShare' }],
      });
    }
    for (const share of [0, 100, 35, 35]) {
      expect((await setRemovalShare(context, id, share)).removalShare).toBe(share);
    }
    // What else changes leaves the share alone; switching the check on again is the usual one.
    expect((await changeSource(context, appId, id, { description: 'x' }, undefined)).removalShare).toBe(35);
    expect((await changeSource(context, appId, id, { disableCheckBadSync: true }, undefined)).removalShare).toBe(100);
    expect((await changeSource(context, appId, id, { description: 'y' }, undefined)).removalShare).toBe(100);
    expect((await changeSource(context, appId, id, { disableCheckBadSync: false }, undefined)).removalShare).toBe(20);
    expect((await events(id)).filter(({ kind }) => kind === 'connector.removal_share_changed')).toHaveLength(3);
  });
});

describe('the source of a file', () => {
  it('is made under its name, once, with the next number', async () => {
    const made = await ensureSource(context, appId, { sourceId: '', name: ' HR ' });
    expect(made).toMatchObject({ displayName: 'HR', sourceNo: 1, kind: 'FILE', removalShare: 20, lastSyncId: '' });
    expect((await ensureSource(context, appId, { sourceId: '', name: 'hr' })).id).toBe(made.id);
    expect((await ensureSource(context, appId, { sourceId: made.id, name: 'Hr' })).id).toBe(made.id);
    expect((await make()).sourceNo).toBe(2);
    await updateLastSync(context, made.id, 'import');
    expect((await findSyncSourceById(context, made.id))?.lastSyncId).toBe('import');
  });

  it('is found by id in its own app alone, and people have theirs', async () => {
    const { id } = await make({ displayName: 'Wiki export' });
    const people = await ensureSource(context, '', { sourceId: '', name: `staff ${count}` });
    const wanted = (sourceId: string, name = '') => ({ sourceId, name });
    expect(await findWantedSource(context, undefined, wanted(id))).toMatchObject({ id });
    const cases: [string | undefined, { sourceId: string; name: string }, string][] = [
      ['', wanted(id), 'is a source of an app'],
      ['another', wanted(id), 'is a source of another app'],
      [appId, wanted(people.id), 'is a source of people'],
      [undefined, wanted(people.id), 'is a source of people'],
      [appId, wanted('none'), 'no source has the id'],
      [appId, wanted(id, 'Another name'), 'is named "Wiki export"'],
      [appId, wanted('', 'x'.repeat(201)), 'must not be longer than 200'],
    ];
    for (const [of, asked, reason] of cases) {
      await expect(findWantedSource(context, of, asked)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringContaining(reason),
      });
    }
    await expect(findWantedSource(test.theirs.admin, undefined, wanted(id))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await deleteSource(context, appId, id);
    await expect(findWantedSource(context, appId, wanted(id))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(await findWantedSource(context, appId, wanted('', 'Wiki export'))).toBeUndefined();
    expect((await findSyncSourceById(context, id))?.displayName).toBe('Wiki export');
  });
});
