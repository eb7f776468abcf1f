/** The evidence of a review whose decisions were signed at a real provider and stamped by a real server, held against keys from outside. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkLog, sealFirst } from '../../src/foundation/log-proofs/index.ts';
import { request } from '../support/api.ts';
import { containedFile, takeApart } from '../support/bundle.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { findInDump } from '../support/dump.ts';
import { askSecondVerifier } from '../support/second-verifier.ts';
import { makeSignedReview } from '../support/signed-review.ts';
import { type SigningTest, startSigning } from '../support/signing.ts';
import { until } from '../support/until.ts';

let test: SigningTest;
let folder: string;
let bundle: string;
let reviewId: string;
const stampAt = (url: string) =>
  test.admin('POST', '/api/v1/settings/log', {
    settings: { anchors: [{ kind: 'LOG_ANCHOR_KIND_TIME_STAMP', url }] },
    updateMask: 'anchors',
  });
const outside = { '--key': 'keys/policy.txt', '--tsa-roots': 'keys/tsa-roots.pem', '--idp-keys': 'keys/idp.json' };
const run = (...args: string[]) => runInProcess(args, { env: environmentFor(test.server.url, test.server.admin.credential) });
const givenKeys = (): string[] => Object.entries(outside).flatMap(([option, name]) => [option, join(folder, name.replace('/', '-'))]);

beforeAll(async () => {
  test = await startSigning();
  folder = mkdtempSync(join(tmpdir(), 'evidence-'));
  bundle = join(folder, 'signed.evidence.zip');
  ({ reviewId } = await makeSignedReview(test));
  expect((await run('review', 'close', reviewId, '--decision', 'skip', '--yes')).code).toBe(0);
  await stampAt(`${test.tsa.url}/stamp`);
  expect(await run('review', 'evidence', reviewId, '--output', bundle)).toMatchObject({ code: 0 });
  for (const { name, content } of takeApart(readFileSync(bundle))) {
    if (Object.values(outside).includes(name)) {
      writeFileSync(join(folder, name.replace('/', '-')), content);
    }
  }
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await test.stop();
});

it('holds: signature, time stamp and ID token are those that were logged', async () => {
  const { code, stdout } = await runInProcess(['verify', bundle, ...givenKeys()], { env: {} });
  expect(stdout).not.toContain('DOES NOT HOLD');
  expect(stdout).toContain('Person 01');
  expect(stdout).toMatch(/ signed that the decisions of others are acknowledged at 20.* \(time stamp of /);
  expect(stdout).toMatch(/A time stamp server saw the seal at 20/);
  expect(code).toBe(0);
  expect(await runInProcess(['verify', bundle], { env: {} })).toMatchObject({ code: 3 });
});

it('holds by the second verifier, too', () => {
  expect(askSecondVerifier(bundle, ...givenKeys())).toMatchObject({ status: 0, stdout: expect.stringContaining('The bundle holds.') });
});

it('is sealed without a time stamp where the server is down, and holds the checkpoints that were anchored', async () => {
  await stampAt('http://127.0.0.1:9/stamp');
  const second = join(folder, 'second.evidence.zip');
  expect(await run('review', 'evidence', reviewId, '--output', second)).toMatchObject({ code: 0 });
  const [anchor = ''] = containedFile(second, 'log/anchors.jsonl').toString().split('\n');
  expect(JSON.parse(anchor)).toMatchObject({
    kind: 'TIME_STAMP',
    place: `${test.tsa.url}/stamp`,
  });
  const { code, stdout } = await runInProcess(['verify', second, ...givenKeys()], { env: {} });
  expect(stdout).not.toContain('DOES NOT HOLD');
  expect(stdout).toContain('the seal has no time stamp');
  expect(code).toBe(0);
});

it('holds when the signer was erased: the old bundle as before, a new one without their names, and so does the log', async () => {
  const { server, world } = test;
  // The time of every review is over, that of the open ones of the world, too.
  await server.test.admin("UPDATE countersign.reviews SET closed_at = coalesce(closed_at, now()) - interval '8 years'");
  const findWrong = async (): Promise<readonly string[]> => {
    await sealFirst(server.system());
    return (await checkLog(server.system(), { outside: [] })).sentences;
  };
  // The samples of the world have rows that were written past the services; nothing of the signed review is among them.
  const wrongBefore = await findWrong();
  const words = ['person 01', 'p01@world.example', 'left the team'];
  const before = await findInDump(server, words);
  const holding = [...new Set(before.map((row) => row.split(':')[0]))];
  expect(holding).toEqual(expect.arrayContaining(['signatures', 'task_actions', 'users', 'review_people']));
  const signer = world.assignee.id;
  const asked = await test.admin('POST', `/api/v1/users/${signer}/erase`, { reason: 'They asked for it' });
  const second = await server.makePerson('second@example.com', ['SUPER_ADMINISTRATOR']);
  const confirm = `/api/v1/second_person_requests/${asked.request.id}/confirm`;
  expect(await request(server, second, 'POST', confirm, {})).toMatchObject({ status: 200 });
  const isErased = `SELECT 1 AS one FROM countersign.users WHERE id = '${signer}' AND erased_at IS NOT NULL`;
  await until(async () => expect(await server.test.admin(isErased)).toHaveLength(1));
  expect(await findInDump(server, words)).toEqual([]);
  // Its texts are in another alphabet, so that looking for words would not find them.
  const stepUps = await server.test.admin("SELECT id FROM countersign.step_up_transactions WHERE id_token <> '' OR claims IS NOT NULL");
  expect(stepUps).toEqual([]);
  expect((await findWrong()).filter((sentence) => !wrongBefore.includes(sentence))).toEqual([]);

  expect(await runInProcess(['verify', bundle, ...givenKeys()], { env: {} })).toMatchObject({ code: 0 });
  // A server that is down would be waited for once more.
  await stampAt(`${test.tsa.url}/stamp`);
  const later = join(folder, 'later.evidence.zip');
  expect(await run('review', 'evidence', reviewId, '--output', later)).toMatchObject({ code: 0 });
  const { code, stdout } = await runInProcess(['verify', later, ...givenKeys()], { env: {} });
  expect(stdout).not.toContain('DOES NOT HOLD');
  expect(stdout).toMatch(/erased, and not verified any more: the details of .* people, the content of .* events, .* rows, 4 ID tokens/);
  expect(stdout.toLowerCase()).not.toContain('person 01');
  expect(code).toBe(0);
  expect(askSecondVerifier(later, ...givenKeys())).toMatchObject({ status: 0, stdout: expect.stringContaining('4 ID tokens') });
  for (const { name, content } of takeApart(readFileSync(later))) {
    expect(
      words.filter((word) => content.toString().toLowerCase().includes(word)),
      name,
    ).toEqual([]);
  }
});
