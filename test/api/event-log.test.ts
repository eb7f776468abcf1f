/** The event log over HTTP: checkpoints, proofs and leaves that anybody can check with the log's public key alone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request, violatedFields } from '../support/api.ts';
import { startTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { openCheckpoint } from '../../src/lib/log/checkpoint.ts';
import { trustLogs } from '../../src/lib/log/log-policy.ts';
import { openLogProof } from '../../src/lib/log/log-proof.ts';
import { hashLeaf } from '../../src/lib/log/merkle.ts';
import { verifyConsistency, verifyInclusion } from '../../src/lib/log/merkle-proof.ts';
import { readVkey } from '../../src/lib/log/signed-note.ts';

let server: TestServer;
let reader: TestPerson;
let logReader: TestPerson;
let basic: TestPerson;
const base64 = (text: string): Buffer => Buffer.from(text, 'base64');
const get = (path: string, who: TestPerson | undefined = server.admin) => request(server, who, 'GET', path);
const prove = (body: object, who: TestPerson = server.admin) => request(server, who, 'POST', '/api/v1/log/proofs', body);

interface Checkpoint {
  readonly size: string;
  readonly root: string;
  readonly note: string;
  readonly origin: string;
}

async function findCheckpoint(query = ''): Promise<Checkpoint> {
  const { status, body } = await get(`/api/v1/log/checkpoint${query}`);
  expect(status).toBe(200);
  return body.checkpoint as Checkpoint;
}

async function findPolicy() {
  const { settings } = (await get('/api/v1/settings/log')).body as { settings: { keys: string[] } };
  return trustLogs(settings.keys.map(readVkey));
}

beforeAll(async () => {
  server = await startTestServer({});
  reader = await server.makePerson('reader@example.com', ['READ_ONLY_ADMINISTRATOR']);
  logReader = await server.makePerson('log@example.com', ['READ_ONLY_SYSTEM_LOGS']);
  basic = await server.makePerson('basic@example.com');
});
afterAll(() => server.stop());

describe('checkpoints', () => {
  it('are signed by the key of the log, and grow with it', async () => {
    const first = await findCheckpoint();
    const opened = openCheckpoint(await findPolicy(), Buffer.from(first.note));
    expect([String(opened.size), opened.root.toString('base64'), opened.origin]).toEqual([first.size, first.root, first.origin]);
    expect(first.origin).toMatch(/\/log\/[0-9A-Za-z]{27}\/1$/);
    await server.makePerson('more@example.com');
    const second = await findCheckpoint();
    expect(Number(second.size)).toBeGreaterThan(Number(first.size));
    expect(await findCheckpoint(`?size=${first.size}`)).toEqual(first);
    const { list } = (await get('/api/v1/log/checkpoints')).body as { list: Checkpoint[] };
    expect(list.map(({ size }) => size)).toEqual(expect.arrayContaining([first.size, second.size]));
    const between = await findCheckpoint('?size=1');
    expect(openCheckpoint(await findPolicy(), Buffer.from(between.note)).size).toBe(1);
  });

  it('begin with each other, which a proof shows', async () => {
    const [first, second] = [await findCheckpoint('?size=3'), await findCheckpoint()];
    const { body } = await get(`/api/v1/log/consistency?first=3&second=${second.size}`);
    const proof = (body.proof as string[]).map(base64);
    expect(verifyConsistency(3, Number(second.size), base64(first.root), base64(second.root), proof)).toBe(true);
    expect(body.checkpoint).toEqual(second);
  });

  it.each([
    ['checkpoint?size=1000000', 'size'],
    ['checkpoint?size=-1', 'size'],
    ['checkpoint?epoch=7', 'epoch'],
    ['consistency?first=2000000', 'first'],
    ['consistency?first=1&second=2000000', 'second'],
    ['entries?from_position=-1', 'fromPosition'],
  ])('name the field that is wrong: %s', async (path, field) => {
    const refused = await get(`/api/v1/log/${path}`);
    expect([refused.status, violatedFields(refused)]).toEqual([400, [field]]);
  });
});

describe('proofs', () => {
  it('lead from the leaf of an event to a checkpoint, also as a file', async () => {
    const { list: events } = (await request(server, server.admin, 'POST', '/api/v1/systemlog/events', {})).body as {
      list: { metadata: { uid: string; sequence: number } }[];
    };
    const eventUids = events.slice(0, 3).map(({ metadata }) => metadata.uid);
    const { status, body } = await prove({ eventUids, positions: ['4'] });
    expect(status).toBe(200);
    const checkpoint = body.checkpoint as Checkpoint;
    const list = body.list as { eventUid: string; position: string; leaf: string; leafHash: string; proof: string[]; proofFile: string }[];
    expect(list.map(({ position }) => position)).toEqual(['0', '1', '2', '4']);
    expect(list.slice(0, 3).map(({ eventUid }) => eventUid)).toEqual(eventUids);
    const policy = await findPolicy();
    for (const { leaf, leafHash, position, proof, proofFile } of list) {
      expect(hashLeaf(Buffer.from(leaf)).toString('base64')).toBe(leafHash);
      const steps = proof.map(base64);
      expect(verifyInclusion(base64(leafHash), Number(position), Number(checkpoint.size), base64(checkpoint.root), steps)).toBe(true);
      expect(openLogProof(policy, Buffer.from(proofFile), base64(leafHash)).index).toBe(Number(position));
    }
    const older = await prove({ positions: ['0'], treeSize: '2' });
    expect(older.body.checkpoint).toMatchObject({ size: '2' });
  });

  it('are refused for what is not in the tree, with the field and the size', async () => {
    const { size } = await findCheckpoint();
    const refused = await prove({ eventUids: ['0'.repeat(27)], positions: [size] });
    expect([refused.status, violatedFields(refused)]).toEqual([400, ['eventUids[0]', 'positions[0]']]);
    expect(refused.body.message).toContain(`holds the ${Number(size)} positions`);
    expect(violatedFields(await prove({}))).toEqual(['eventUids']);
    expect(violatedFields(await prove({ positions: Array.from({ length: 101 }, (_, at) => String(at)) }))).toEqual(['positions']);
    expect(violatedFields(await prove({ positions: ['3'], treeSize: '3' }))).toEqual(['positions[0]']);
    expect(violatedFields(await prove({ positions: ['3'], treeSize: '3000000' }))).toEqual(['treeSize']);
  });
});

describe('entries', () => {
  it('are the leaves by position, page by page, and those of a review', async () => {
    const first = await get('/api/v1/log/entries?from_position=2&page_size=10');
    const list = first.body.list as { position: string; leaf: string; leafHash: string }[];
    expect(list[0]?.position).toBe('2');
    expect(list.every(({ leaf, leafHash }) => hashLeaf(Buffer.from(leaf)).toString('base64') === leafHash)).toBe(true);
    const review = await request(server, server.admin, 'POST', '/api/v1/access_review', { displayName: 'Q1' });
    const { id } = review.body.accessReview.accessReview as { id: string };
    const ofReview = await get(`/api/v1/log/entries?review_id=${id}`);
    const leaves = (ofReview.body.list as { leaf: string }[]).map(({ leaf }) => JSON.parse(leaf) as { review: object });
    expect(leaves[0]?.review).toMatchObject({ id, number: 1, previous: -1 });
  });
});

describe('who may', () => {
  it('read proofs: administrators and readers of the system log; entries: not those who only read', async () => {
    for (const who of [reader, logReader, server.admin]) {
      expect((await get('/api/v1/log/checkpoint', who)).status).toBe(200);
      expect((await prove({ positions: ['0'] }, who)).status).toBe(200);
    }
    expect((await get('/api/v1/log/entries', reader)).status).toBe(403);
    expect((await get('/api/v1/log/entries', logReader)).status).toBe(200);
    expect((await get('/api/v1/log/checkpoint', basic)).status).toBe(403);
    expect((await request(server, undefined, 'GET', '/api/v1/log/checkpoint')).status).toBe(401);
  });
});

describe('a published log', () => {
  it('is read without a token once the tenant says so', async () => {
    const read = (path: string) => server.fetch(`/log/${path}`);
    expect((await read('checkpoint')).status).toBe(404);
    const set = await request(server, server.admin, 'POST', '/api/v1/settings/log', { settings: { publishLog: true } });
    expect(set.body.settings).toMatchObject({ publishLog: true, hasSecretFile: false });
    const note = Buffer.from(await (await read('checkpoint')).arrayBuffer());
    const { size } = openCheckpoint(await findPolicy(), note);
    const tile = Buffer.from(await (await read(`tile/0/000.p/${size}`)).arrayBuffer());
    expect(tile.length).toBe(size * 32);
    const entries = Buffer.from(await (await read(`tile/entries/000.p/${size}`)).arrayBuffer());
    const length = entries.readUInt16BE();
    expect(hashLeaf(entries.subarray(2, 2 + length)).equals(tile.subarray(0, 32))).toBe(true);
    for (const path of [`tile/0/000.p/${size + 1}`, 'tile/1/000', 'tile/0/000.p/0', 'tile/9/000', 'tile', '..%2f']) {
      expect([path, (await read(path)).status]).toEqual([path, 404]);
    }
  });
});
