/** Checkpoints that others hold: a time stamp server, a witness and a folder, all of them real. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request, violatedFields } from '../support/api.ts';
import { startTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { startTimeStampServer, type TimeStampService } from '../support/time-stamp-server.ts';
import { until } from '../support/until.ts';
import { startWitness, type WitnessService } from '../support/witness-server.ts';
import { openCheckpoint } from '../../src/lib/log/checkpoint.ts';
import { readLogPolicy } from '../../src/lib/log/log-policy.ts';

let dir: string;
let stamps: TimeStampService;
let witness: WitnessService;
let server: TestServer;
let basic: TestPerson;
let reader: TestPerson;

const get = (path: string, who: TestPerson = server.admin) => request(server, who, 'GET', path);
const set = (anchors: readonly object[]) =>
  request(server, server.admin, 'POST', '/api/v1/settings/log', { settings: { anchors }, updateMask: 'anchors' });
const places = () => [
  { kind: 'LOG_ANCHOR_KIND_TIME_STAMP', url: `${stamps.url}/stamp` },
  { kind: 'LOG_ANCHOR_KIND_WITNESS', url: witness.url, publicKey: witness.vkey },
];

interface Place {
  readonly size?: string;
  readonly error: string;
  readonly failingSince?: string;
}

const readPlaces = async (): Promise<Place[]> =>
  ((await get('/api/v1/settings/log')).body as { settings: { anchors: Place[] } }).settings.anchors;
const listHeld = async () =>
  ((await get('/api/v1/log/anchors')).body as { list: { kind: string; size: string; proof: string; place: string }[] }).list;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'countersign-anchors-'));
  stamps = await startTimeStampServer('ec');
  witness = await startWitness();
  server = await startTestServer({
    config: { timeStampRootsFile: stamps.rootFile, checkpointDir: join(dir, 'checkpoints') },
    allowsLocalIssuers: true,
  });
  basic = await server.makePerson('basic@example.com');
  reader = await server.makePerson('reader@example.com', ['READ_ONLY_ADMINISTRATOR']);
});
afterAll(async () => {
  await server.stop();
  await Promise.all([stamps.close(), witness.close()]);
  await rm(dir, { recursive: true });
});

it('a place that cannot be used is refused, each with its field', async () => {
  const refused = await set([{ kind: 'LOG_ANCHOR_KIND_FILE', url: 'http://a.example' }]);
  expect([refused.status, violatedFields(refused)]).toEqual([400, ['settings.anchors[0].kind']]);
  const wrong = await set([
    { kind: 'LOG_ANCHOR_KIND_WITNESS', url: 'ftp://a.example', publicKey: 'x' },
    { kind: 'LOG_ANCHOR_KIND_TIME_STAMP', url: 'http://user:pw@a.example', publicKey: witness.vkey },
  ]);
  expect([wrong.status, violatedFields(wrong)]).toEqual([
    400,
    ['settings.anchors[0].url', 'settings.anchors[0].publicKey', 'settings.anchors[1].url', 'settings.anchors[1].publicKey'],
  ]);
  expect(
    (await request(server, reader, 'POST', '/api/v1/settings/log', { settings: { anchors: places() }, updateMask: 'anchors' })).status,
  ).toBe(403);
});

it('the newest checkpoint reaches each place, and is what the log says', async () => {
  expect((await set(places())).status).toBe(200);
  await until(async () =>
    expect((await readPlaces()).map(({ size, error }) => [Number(size) > 0, error])).toEqual([
      [true, ''],
      [true, ''],
    ]),
  );
  const held = await until(async () => {
    const list = await listHeld();
    expect(list.map(({ kind }) => kind.slice(16)).toSorted()).toEqual(['FILE', 'TIME_STAMP', 'WITNESS']);
    return list;
  });
  const cosigned = held.find(({ kind }) => kind.endsWith('WITNESS'));
  const { settings } = (await get('/api/v1/settings/log')).body as { settings: { keys: string[]; keepsFiles: boolean } };
  expect(settings.keepsFiles).toBe(true);
  const policy = readLogPolicy(Buffer.from([`log ${settings.keys[0]}`, `witness w1 ${witness.vkey}`, 'quorum w1', ''].join('\n')));
  const { checkpoint } = (await get(`/api/v1/log/checkpoint?size=${cosigned?.size}`)).body as { checkpoint: { note: string } };
  const note = `${checkpoint.note}${Buffer.from(cosigned?.proof ?? '', 'base64').toString()}`;
  expect(openCheckpoint(policy, Buffer.from(note)).cosignatures).toHaveLength(1);
  const [file = ''] = await readdir(join(dir, 'checkpoints', server.id));
  expect(file).toMatch(/^1-\d{12}\.checkpoint$/);
  expect(openCheckpoint({ ...policy, isQuorum: () => true }, await readFile(join(dir, 'checkpoints', server.id, file))).size).toBe(
    Number(file.slice(2, 14)),
  );
});

it('a place that fails says so, stops nothing else, and is sent the newest once it works', async () => {
  witness.status = 500;
  await set([]);
  await set(places());
  const failing = await until(async () => {
    const [stamped, cosigned] = await readPlaces();
    expect(cosigned?.error).toMatch(/^The checkpoint could not be sent: the witness 127\.0\.0\.1:\d+ answered with status 500\.$/);
    expect(stamped?.error).toBe('');
    return cosigned;
  });
  expect(failing?.failingSince).toBeDefined();
  const before = witness.seen;
  witness.status = 0;
  await until(() => expect(witness.seen).toBeGreaterThan(before));
  await until(async () => expect((await readPlaces())[1]).toMatchObject({ error: '' }));
});

it('a witness that knows more than was noted is asked again; one that lies is not believed', async () => {
  await server.test.admin(`UPDATE log_anchors SET size = 1 WHERE tenant_id = $1 AND kind = 'WITNESS'`, [server.id]);
  const before = witness.seen;
  await set([]);
  await set(places());
  await until(() => expect(witness.seen).toBeGreaterThan(before));
  witness.lies = true;
  await set([]);
  await set(places());
  await until(async () => expect((await readPlaces())[1]?.error).toMatch(/The cosignature of witness\.example\.com\/w1 is wrong\.$/));
});

it('is read by those who read the log, and by nobody of another tenant', async () => {
  expect((await get('/api/v1/log/anchors', reader)).status).toBe(200);
  expect((await get('/api/v1/log/anchors', basic)).status).toBe(403);
  const other = await server.makeTenant('anchors-other');
  expect((await request(other, other.admin, 'GET', '/api/v1/log/anchors')).body).toMatchObject({ list: [] });
});
