/** `review start` as somebody meets it: it says whom the review asks, by what day, who is told, and who cannot sign in; and it asks in a terminal. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request } from '../support/api.ts';
import { type CommandInput, environmentFor, runInProcess } from '../support/command-line.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { startTestServer, useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const people = `email,display_name,manager_email
max@mail.example,Max Manager,
ann@mail.example,Ann,max@mail.example`;
const grants = `account,email,account_type,account_status,resource_type,resource,entitlement
a1,ann@mail.example,USER,ENABLED,role,Ledger,pay
a1,ann@mail.example,USER,ENABLED,role,Ledger,read`;

let bare: TestServer;
let mailing: TestServer;
let mail: MailServer;

beforeAll(async () => {
  mail = await startMailServer();
  bare = await useTestServer();
  mailing = await startTestServer({
    config: { mail: { transport: mail.transport, from: 'countersign@mail.example', perMinute: 100_000 } },
  });
});
afterAll(async () => {
  await bare.stop();
  await mailing.stop();
  await mail.close();
});

const run = (server: TestServer, name: string, args: readonly string[], input: CommandInput = {}) =>
  runInProcess(['review', name, ...args], { env: environmentFor(server.url, server.admin.credential), ...input });

/** A review of the app that is prepared. */
async function prepared(server: TestServer, more: object = {}): Promise<string> {
  await sendFile(server, server.admin, '/api/v1/imports/people', people);
  const { appId } = (await sendFile(server, server.admin, '/api/v1/imports/grants?app=Ledger', grants)).body.import;
  const { body } = await request(server, server.admin, 'POST', '/api/v1/access_review', { displayName: 'Quarter' });
  const { id } = body.accessReview.accessReview;
  await request(server, server.admin, 'POST', `/api/v1/access_review/${id}`, { accessReview: { singleApp: { appId }, ...more } });
  expect((await run(server, 'prepare', [id])).code).toBe(0);
  return id;
}

const stateOf = async (server: TestServer, id: string): Promise<string> =>
  (await request(server, server.admin, 'GET', `/api/v1/access_review/${id}`)).body.accessReview.accessReview.state;

it('says that nobody is told, by no day, and that nobody signs in; no and silence leave the review as it is', async () => {
  const id = await prepared(bare);
  for (const stdin of ['n\n', '\n', '']) {
    const refused = await run(bare, 'start', [id], { stdin, isTerminal: true });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    for (const said of [
      'Quarter: 2 items, asked of 1 person: Max Manager (2)',
      'It has no due date',
      'Nobody is told by mail: this installation sends none.',
      'Reviewers cannot sign in by themselves',
      '2 items ask about an entitlement without a description.',
      'not started',
    ]) {
      expect(refused.stderr).toContain(said);
    }
    expect(await stateOf(bare, id)).toBe('ACCESS_REVIEW_STATE_REVIEW');
  }
  expect(await run(bare, 'start', [id], { stdin: 'y\n', isTerminal: true })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('OPEN'),
  });
  // A second one is the same start, and asks nothing.
  expect(await run(bare, 'start', [id], { stdin: '', isTerminal: true })).toMatchObject({ code: 0, stderr: '' });
});

it('names the day, the mails, and whom neither a mail nor a sign-in reaches; --yes and programs are not asked', async () => {
  const dated = { completionDate: '2099-06-30T12:00:00Z' };
  const silent = await prepared(mailing, dated);
  const { stderr, code } = await run(mailing, 'start', [silent]);
  expect([code, stderr.includes('It is due on 2099-06-30T12:00:00Z.'), stderr.includes('cannot sign in')]).toEqual([0, true, false]);
  expect(stderr).toContain('Nobody is told by mail that it starts: the review does not ask for it');

  const told = await prepared(mailing, { ...dated, notificationConfig: { sendKickoff: true, sendReminders: true } });
  await mailing.test.admin(`UPDATE users SET email = '' WHERE tenant_id = $1 AND display_name = 'Max Manager'`, [mailing.id]);
  const asked = await run(mailing, 'start', [told, '--yes'], { isTerminal: true });
  expect(asked.stderr).toContain('They are told by mail that it starts, and reminded before it is due.');
  expect(asked.stderr).toContain('Without a mail address: Max Manager. Neither a mail nor a sign-in reaches them.');
  expect(await stateOf(mailing, told)).toBe('ACCESS_REVIEW_STATE_OPEN');

  const program = await prepared(mailing, dated);
  expect(await run(mailing, 'start', [program, '--yes', '--json'])).toMatchObject({ code: 0, stderr: '' });
});
