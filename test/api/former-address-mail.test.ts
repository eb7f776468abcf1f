/** The mail to an address that somebody has no longer: it warns whoever lost it, and never reaches a joiner who has it by now. Over HTTP and SMTP. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Loose, request } from '../support/api.ts';
import { startMailServer, type MailServer, readMessage } from '../support/mail-server.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

let server: TestServer;
let mail: MailServer;

const ok = async (method: string, path: string, body?: unknown): Promise<Loose> => {
  const answer = await request(server, server.admin, method, path, body);
  expect([path, answer.status, answer.body.message]).toEqual([path, 200, undefined]);
  return answer.body;
};
async function importPeople(source: string, ...rows: readonly string[]): Promise<void> {
  const file = ['email,display_name,employee_id,employment_status', ...rows].join('\n');
  const { status, body } = await sendFile(server, server.admin, `/api/v1/imports/people?source=${source}&allow_removals=true`, file);
  expect([status, body.message]).toEqual([200, undefined]);
}
const byAddress = async (email: string): Promise<Loose> => (await ok('POST', '/api/v1/search/users', { email })).list[0]?.user;
/** States of the mails about changes of a person's address, once none waits. */
async function mailsAbout(userId: string): Promise<string[]> {
  let states: string[] = [];
  await expect
    .poll(
      async () => {
        const rows = await server.test.admin(
          `SELECT m.state FROM mails m JOIN mail_outbox n ON n.tenant_id = m.tenant_id AND n.mail_id = m.id
           WHERE m.tenant_id = $1 AND m.person_id = $2 AND n.kind = 'ADDRESS_CHANGED' ORDER BY m.id`,
          [server.id, userId],
        );
        states = rows.map(({ state }) => String(state));
        return states.length > 0 && states.every((state) => state === 'SENT' || state === 'DROPPED');
      },
      { timeout: 60_000, interval: 100 },
    )
    .toBe(true);
  return states;
}
const textsTo = (address: string): string[] => mail.to(address).map(({ raw }) => readMessage(raw).text);

beforeAll(async () => {
  mail = await startMailServer();
  server = await startTestServer({ config: { mail: { transport: mail.transport, from: 'countersign@mail.example', perMinute: 100_000 } } });
});
afterAll(async () => {
  await server.stop();
  await mail.close();
});

it('does not tell a joiner of the leaver whose address they have', async () => {
  await importPeople('temps', 'c.temp@c.test,Carl,501,ACTIVE', 'x@c.test,Xenia,500,');
  const carl = await byAddress('c.temp@c.test');
  await importPeople('temps', 'c.temp@c.test,Carl,501,TERMINATED', 'x@c.test,Xenia,500,');
  await importPeople('temps', 'c.temp@c.test,Cora,777,ACTIVE', 'x@c.test,Xenia,500,');
  expect((await byAddress('c.temp@c.test')).id).not.toBe(carl.id);
  expect(await mailsAbout(carl.id)).toEqual(['DROPPED']);
  expect(textsTo('c.temp@c.test')).toEqual([]);
});

it('does not either where an administrator says that the record is somebody new', async () => {
  await importPeople('desk', 'd.temp@c.test,Dora,,ACTIVE');
  const dora = await byAddress('d.temp@c.test');
  await importPeople('desk', 'd.temp@c.test,Dora,,TERMINATED');
  await importPeople('hall', 'd.temp@c.test,Else,,ACTIVE');
  const [record] = (await ok('GET', '/api/v1/identity/disputed')).list.filter((one: Loose) => one.email === 'd.temp@c.test');
  await ok('POST', `/api/v1/identity/records/${record.id}/action/answer`, { verdict: 'PERSON_RECORD_VERDICT_NEW_PERSON' });
  expect((await byAddress('d.temp@c.test')).id).not.toBe(dora.id);
  expect(await mailsAbout(dora.id)).toEqual(['DROPPED']);
  expect(textsTo('d.temp@c.test')).toEqual([]);
});

it('tells people who are there, also where two swap theirs: one of them may be taken over', async () => {
  await importPeople('staff', 'ann@s.test,Ann,1,', 'ben@s.test,Ben,2,');
  const [ann, ben] = [await byAddress('ann@s.test'), await byAddress('ben@s.test')];
  await importPeople('staff', 'ben@s.test,Ann,1,', 'ann@s.test,Ben,2,');
  expect([(await byAddress('ben@s.test')).id, (await byAddress('ann@s.test')).id]).toEqual([ann.id, ben.id]);
  expect([await mailsAbout(ann.id), await mailsAbout(ben.id)]).toEqual([['SENT'], ['SENT']]);
  expect(textsTo('ann@s.test')).toEqual([expect.stringMatching(/^Hello Ann,[\s\S]*Your address was changed/)]);
});

it('tells a person whom an administrator merged into another, without waiting for a sync', async () => {
  await importPeople('twins', 'old@t.test,Old,11,', 'new@t.test,New,12,');
  const [from, into] = [await byAddress('old@t.test'), await byAddress('new@t.test')];
  await ok('POST', `/api/v1/users/${from.id}/action/merge`, { intoUserId: into.id });
  expect(await mailsAbout(from.id)).toEqual(['SENT']);
  expect(textsTo('old@t.test')).toHaveLength(1);
});
