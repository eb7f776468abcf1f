/** Files of connectors over HTTP: what becomes of them, what they change the next time, and what is refused. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { annotation, type C1zContents, message, readVector, writeC1z } from '../support/c1z.ts';
import { type TestServer, useTestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const demo = readVector('demo-sdk-0.2.50');
const team = (name: string) => ({ type: 'team', id: name });
const user = (id: string) => ({ type: 'user', id, data: { 4: annotation('UserTrait', { 2: message({ 1: 1 }) }) } });
const inTeam = (of: string, to: string) => ({ of: `team:${of}:member`, to: ['user', to] as const });
const contents = (change: Partial<C1zContents> = {}): C1zContents => ({
  types: [
    { id: 'user', traits: [1] },
    { id: 'team', traits: [2] },
  ],
  resources: [user('ann'), user('bob'), team('ops'), team('all')],
  entitlements: ['ops', 'all'].map((resource) => ({ type: 'team', resource, slug: 'member', data: { 3: `Member of ${resource}` } })),
  grants: [
    inTeam('ops', 'ann'),
    { ...inTeam('all', 'ann'), sources: { 'team:ops:member': true } },
    { of: 'team:all:member', to: ['team', 'ops'], annotations: [annotation('GrantExpandable', { 1: 'team:ops:member' })] },
  ],
  ...change,
});

describe('the file of a connector', () => {
  let server: TestServer;
  const send = (query: string, file: Uint8Array, encoding?: string): Promise<Answer> =>
    sendFile(server, server.admin, `/api/v1/imports/c1z?${query}`, file, encoding);
  const done = async (query: string, file: Uint8Array): Promise<Loose> => {
    const answer = await send(query, file);
    expect([answer.status, answer.status === 200 || answer.body]).toEqual([200, true]);
    return answer.body.import;
  };
  const get = async (path: string): Promise<Loose> => (await request(server, server.admin, 'GET', path)).body;

  beforeAll(async () => {
    server = await useTestServer();
  });
  afterAll(() => server.stop());

  it('becomes accounts, entitlements and grants, and the second time nothing changes', async () => {
    const first = await done('app=Demo&zone=UTC', demo);
    expect(first).toMatchObject({
      ...{ fileFormat: 'IMPORT_FILE_FORMAT_C1Z', added: '25', isComplete: true, observedFrom: '2026-11-23T17:42:19Z' },
      counts: { accounts: { added: '5' }, resources: { added: '6' }, entitlements: { added: '10' }, grants: { added: '25' } },
    });
    expect(first.warnings.map(({ reason }: Loose) => reason)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('6 grants have a principal that is no account'),
        expect.stringContaining('1 grant has no principal'),
      ]),
    );
    expect(await done('app=Demo&zone=UTC', demo)).toMatchObject({
      added: '0',
      changed: '0',
      removed: '0',
      unchanged: '25',
      revision: first.revision,
    });
    const after = await done('app=Demo', readVector('demo-sdk-0.2.50-after-revoke'));
    // Of an unknown zone: fourteen hours earlier than it says.
    expect(after).toMatchObject({ added: '0', removed: '1', observedFrom: '2026-11-23T03:47:51Z' });
  });

  it('says nothing new in another order, and ends nothing where something is renamed', async () => {
    const first = await done('app=Order', writeC1z(contents()));
    expect(first).toMatchObject({ added: '2', removed: '0', counts: { accounts: { added: '2' } } });
    const { resources, grants } = contents();
    const turned = contents({ resources: [...resources].reverse(), grants: [...grants].reverse() });
    expect(await done('app=Order', writeC1z(turned))).toMatchObject({ added: '0', changed: '0', removed: '0', revision: first.revision });
    const renamed = contents({ resources: [user('ann'), user('bob'), { ...team('ops'), data: { 3: 'Operations' } }, team('all')] });
    expect(await done('app=Order', writeC1z(renamed))).toMatchObject({ added: '0', removed: '0', counts: { resources: { changed: '1' } } });
  });

  it('ends nothing where the connector dropped something', async () => {
    const whole = await done('app=Dropped', writeC1z(contents()));
    const run = { sync_token: '{"ingest_quality":{"grants_dropped":1}}' };
    const part = await done(`connector_id=${whole.connectorId}`, writeC1z(contents({ grants: [inTeam('ops', 'ann')], run })));
    expect(part).toMatchObject({ removed: '0', isComplete: false, incompleteReason: 'INGEST_DROPPED' });
  });

  it('is rehearsed', async () => {
    const { status, body } = await send('app=Rehearsed&dry_run=true', writeC1z(contents()));
    expect([status, body.import]).toMatchObject([200, { id: '', added: '2' }]);
    expect(body.dryRun.differences).toHaveLength(2);
    expect((await send('app=Rehearsed&difference_token=x', demo)).status).toBe(400);
  });

  it('may be packed once more', async () => {
    expect((await send('app=Packed', gzipSync(demo), 'gzip')).body.import).toMatchObject({ added: '25' });
  });

  it.each([
    ['sdk-0.25-pebble', 400, 'run the connector with BATON_STORAGE_ENGINE=sqlite'],
    ['noise', 400, 'the file is damaged or was cut off'],
    ['unfinished', 400, 'no finished full sync; it has an unfinished one'],
    ['view-for-table', 400, 'v1_grants in the file is a view, not a table'],
  ])('is refused with a sentence and recorded: %s', async (name, status, sentence) => {
    const answer = await send('app=Refused', readVector(name));
    expect([answer.status, answer.body.code]).toEqual([status, 3]);
    expect(answer.body.message).toContain('Nothing was imported');
    expect(answer.body.message).toContain(sentence);
    const { list } = await get('/api/v1/imports?page_size=1');
    expect(list[0].import).toMatchObject({ state: 'IMPORT_STATE_FAILED', source: 'Refused' });
    expect(list[0].import.error).toContain(sentence);
  });

  it('is refused without an app, in a zone that is none, and empty', async () => {
    expect(violatedFields(await send('', demo))).toEqual(['app']);
    expect(violatedFields(await send('app=Demo&zone=Mars/Olympus', demo))).toEqual(['zone']);
    expect((await send('app=Demo', new Uint8Array())).status).toBe(400);
  });
});
