/** Signing from the command line, with the browser that its person opens: what is printed when the provider refuses, is late, or nobody waits. */
import { Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { type Loose, request } from '../support/api.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { openBrowser } from '../support/identity-provider.ts';
import { acr, type SigningTest, startSigning } from '../support/signing.ts';

let test: SigningTest;
let reviewId: string;
let tasks: string[];

beforeAll(async () => {
  test = await startSigning();
  ({ reviewId, taskIds: tasks } = await test.openSigned());
});
beforeEach(() => {
  test.idp.account = { sub: 'p01', email: 'p01@world.example', email_verified: true };
  test.idp.acr = acr;
});
afterAll(() => test.stop());

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command; `meanwhile` is called with the address it prints, once. */
async function run(args: readonly string[], meanwhile: (url: string, stop: () => void) => Promise<unknown>): Promise<Ended> {
  const printed = { stdout: '', stderr: '' };
  const stop = new AbortController();
  let opened: Promise<unknown> | undefined;
  const into = (name: keyof typeof printed): Writable =>
    new Writable({
      write(piece: Buffer | string, _encoding, done) {
        printed[name] += piece.toString();
        const [url] = /http\S+\/auth\?\S+/.exec(printed.stderr) ?? [];
        if (url !== undefined && opened === undefined) {
          opened = meanwhile(url, () => stop.abort());
        }
        done();
      },
    });
  const code = await runCommand(args, {
    env: environmentFor(test.server.url, test.world.assignee.credential),
    stdin: Object.assign(Readable.from([]), { isTTY: false }),
    stdout: into('stdout'),
    stderr: into('stderr'),
    signal: stop.signal,
  });
  await opened;
  return { code, ...printed };
}

const goThere = (url: string): Promise<unknown> => openBrowser(test.server).visit(url);
async function stage(): Promise<string> {
  const taskId = tasks.shift() ?? '';
  const env = environmentFor(test.server.url, test.world.assignee.credential);
  expect(await runInProcess(['task', 'stage', taskId, '--decision', 'approve'], { env })).toMatchObject({ code: 0 });
  return taskId;
}
const args = (...more: string[]): string[] => ['task', 'submit', reviewId, ...more];
const signatureIn = ({ stderr }: Ended): string => /task sign (\S{27})/.exec(stderr)?.[1] ?? '';
const stateOf = async (id: string): Promise<Loose> => (await test.send('GET', `/api/v1/signatures/${id}`)).body.signature;

it('signs once the person was there, and the key of the credential signs the record', async () => {
  await stage();
  const ended = await run(args('--json'), goThere);
  expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('Person 01 signs 1 approved, 0 denied: "I have reviewed') });
  const { signature, submission } = JSON.parse(ended.stdout);
  expect(submission).toMatchObject({ certified: '1' });
  const { db, tenantId } = test.server.system();
  const row = await db.one('SELECT credential_key, credential_signature FROM signatures WHERE tenant_id = $1 AND id = $2', [
    tenantId,
    signature.id,
  ]);
  expect(row).toMatchObject({ credential_key: expect.stringMatching(/./), credential_signature: expect.stringMatching(/^[\w-]{86}$/) });
});

it('says that the provider refused, that nobody came back, or that it was stopped, and how to go on', async () => {
  const taskId = await stage();
  test.idp.account = undefined;
  const refused = await run(args(), goThere);
  const id = signatureIn(refused);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain(`not signed: You did not prove who you are. countersign task sign ${id} tries again`);

  const { db, tenantId } = test.server.system();
  const late = await run(['task', 'sign', id, '--json'], () =>
    db.run('UPDATE step_up_transactions SET expires_at = now() WHERE tenant_id = $1 AND signature_id = $2', [tenantId, id]),
  );
  expect(late).toMatchObject({ code: 1, stdout: '' });
  expect(JSON.parse(late.stderr.slice(late.stderr.indexOf('{')))).toMatchObject({
    error: { message: `not signed: Nobody came back within 15 minutes. countersign task sign ${id} tries again` },
  });

  const stopped = await run(['task', 'sign', id], async (_, stop) => stop());
  expect(stopped).toMatchObject({ code: 1, stdout: '' });
  expect(stopped.stderr).toContain(`not signed: stopped before you came back. countersign task sign ${id} tries again`);

  expect((await stateOf(id)).state).toBe('SIGNATURE_STATE_PREPARED');
  test.idp.account = { sub: 'p01', email: 'p01@world.example', email_verified: true };
  expect(await run(['task', 'sign', id], goThere)).toMatchObject({ code: 0, stdout: 'submitted 1: 1 approved, 0 denied, 0 refused\n' });
  expect((await test.send('GET', `/api/v1/tasks/${taskId}`)).body.taskView.task.state).toBe('TASK_STATE_CLOSED');
});

it('tries again with the same sign-in where the time stamp server was down, and with another one where that is too old', async () => {
  const { db, tenantId } = test.server.system();
  const askFor = (id: string, path: string): Promise<unknown> =>
    db.run('UPDATE signatures SET tsp_url = $3 WHERE tenant_id = $1 AND id = $2', [tenantId, id, `${test.tsa.url}${path}`]);
  const failOnce = async (): Promise<string> => {
    await stage();
    const ended = await run(args(), async (url) => {
      const [{ id = '' } = {}] = await db.rows<{ id: string }>(
        "SELECT id FROM signatures WHERE tenant_id = $1 AND review_id = $2 AND state = 'PREPARED'",
        [tenantId, reviewId],
      );
      await askFor(id, '/broken');
      await goThere(url);
    });
    expect(ended.code).not.toBe(0);
    expect(ended.stderr).toContain('Nothing was submitted; your decisions are kept until');
    expect(ended.stderr).toContain('tries again, within 15 minutes without another sign-in');
    return signatureIn(ended);
  };
  const one = await failOnce();
  await askFor(one, '/stamp');
  const again = await run(['task', 'sign', one], () => Promise.reject(new Error('asked anew')));
  expect(again).toMatchObject({ code: 0, stderr: '' });

  const other = await failOnce();
  await askFor(other, '/stamp');
  await db.run('UPDATE step_up_transactions SET expires_at = now() WHERE tenant_id = $1 AND signature_id = $2', [tenantId, other]);
  expect(await run(['task', 'sign', other], goThere)).toMatchObject({ code: 0, stderr: expect.stringContaining('Prove who you are') });
  expect(await run(['task', 'sign', other], goThere)).toMatchObject({ code: 1, stderr: 'countersign: This is signed already.\n' });
});

it('acknowledges a review and signs that', async () => {
  const own = await test.openSigned();
  await test.admin('PUT', `/api/v1/access_review/${own.reviewId}/acknowledgement`, {
    ...{ required: true, userIds: [test.world.assignee.id] },
  });
  const ended = await run(['review', 'acknowledge', own.reviewId, '--comment', 'Seen.'], goThere);
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^acknowledged; digest of all decisions: [0-9a-f]{64}\n$/) });
  const read = await request(test.server, test.world.assignee, 'GET', `/api/v1/access_review/${own.reviewId}/acknowledgement`);
  expect(read.body.acknowledgement).toMatchObject({ valid: true, comment: 'Seen.', signatureId: expect.stringMatching(/./) });
});
