/**
 * What a reader is shown of who people are: the completeness of a source says how many of its records are disputed, a person's former words and the other
 * holders of their addresses are listed, and a record that was ignored is found and answered anew.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { connectScim, type ScimClient, urn } from '../support/scim.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { sendFile } from '../support/world.ts';

let server: TestServer;
let scim: ScimClient;
const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
async function ok(method: string, path: string, body?: unknown): Promise<Loose> {
  const answer = await admin(method, path, body);
  expect([path, answer.status, answer.body.message]).toEqual([path, 200, undefined]);
  return answer.body;
}
async function importPeople(source: string, ...rows: readonly string[]): Promise<Loose> {
  const file = ['email,display_name,employee_id,employment_status', ...rows].join('\n');
  const { status, body } = await sendFile(server, server.admin, `/api/v1/imports/people?source=${source}&allow_removals=true`, file);
  expect([status, body.message]).toEqual([200, undefined]);
  return body.import;
}
const byAddress = async (email: string): Promise<Loose> => (await ok('POST', '/api/v1/search/users', { email })).list[0]?.user;
const userOf = async (id: string): Promise<Loose> => (await ok('GET', `/api/v1/users/${id}`)).userView.user;
const formerOf = (id: string): Promise<Loose> => ok('GET', `/api/v1/users/${id}/former_words`);
const verdict = (name: string): string => `PERSON_RECORD_VERDICT_${name}`;
const answer = async (id: string, name: string, userId = ''): Promise<Loose> =>
  (await ok('POST', `/api/v1/identity/records/${id}/action/answer`, { verdict: verdict(name), userId })).record;
const listOf = async (name: string, sourceId = ''): Promise<Loose[]> =>
  (await ok('GET', `/api/v1/identity/disputed?verdict=${verdict(name)}&source_id=${sourceId}`)).list;

beforeAll(async () => {
  server = await useTestServer();
  scim = await connectScim(server, 'Directory');
});
afterAll(() => server.stop());

describe('an address that was given to somebody else', () => {
  it('stands with the former holder, with its dates, and the page of each says who the other is', async () => {
    await importPeople('temps', 'c.temp@c.test,Carl,501,', 'x@c.test,Xenia,500,');
    const carl = await byAddress('c.temp@c.test');
    expect(await formerOf(carl.id)).toMatchObject({ list: [], holders: [] });
    await importPeople('temps', 'c.temp@c.test,Carl,501,TERMINATED', 'x@c.test,Xenia,500,');
    await importPeople('temps', 'c.temp@c.test,Cora,777,ACTIVE', 'x@c.test,Xenia,500,');
    const cora = await byAddress('c.temp@c.test');
    expect(cora.id).not.toBe(carl.id);
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    const ofCarl = await formerOf(carl.id);
    expect(ofCarl.list).toEqual([{ kind: 'FORMER_WORD_KIND_ADDRESS', word: 'c.temp@c.test', from: time, until: time }]);
    expect(ofCarl.holders).toEqual([{ address: 'c.temp@c.test', userId: cora.id, displayName: 'Cora', from: time }]);
    const ofCora = await formerOf(cora.id);
    expect(ofCora.list).toEqual([]);
    expect(ofCora.holders).toEqual([{ address: 'c.temp@c.test', userId: carl.id, displayName: 'Carl', from: time, until: time }]);
    expect(ofCora.holders[0].until).toBe(ofCarl.list[0].until);
  });

  it('is a former address of one whose address is another now, and of nobody else where the new one never had it', async () => {
    await importPeople('anna', 'anna.alt@d.test,Anna Alt,42,', 'tom@d.test,Tom,43,');
    const anna = await byAddress('anna.alt@d.test');
    await importPeople('anna', 'anna.neu@d.test,Anna Neu,42,', 'tom@d.test,Tom,43,');
    expect((await userOf(anna.id)).email).toBe('anna.neu@d.test');
    // Equal to a former address only: somebody new, and both pages say so.
    await importPeople('anna', 'anna.neu@d.test,Anna Neu,42,', 'tom@d.test,Tom,43,', 'anna.alt@d.test,Annalena,44,');
    const annalena = await byAddress('anna.alt@d.test');
    expect(annalena.id).not.toBe(anna.id);
    const former = await formerOf(anna.id);
    expect(former.list.map(({ kind, word }: Loose) => [kind, word]).sort()).toEqual([
      ['FORMER_WORD_KIND_ADDRESS', 'anna.alt@d.test'],
      ['FORMER_WORD_KIND_NAME', 'Anna Alt'],
    ]);
    expect(former.holders).toMatchObject([{ userId: annalena.id, address: 'anna.alt@d.test' }]);
    expect((await formerOf(annalena.id)).holders).toMatchObject([{ userId: anna.id, address: 'anna.alt@d.test' }]);
    expect((await formerOf((await byAddress('tom@d.test')).id)).holders).toEqual([]);
    expect((await admin('GET', '/api/v1/users/nobody/former_words')).status).toBe(404);
  });
});

describe('a record that was ignored', () => {
  it('of a file is listed, and answered anew as somebody whom nobody proposed', async () => {
    await importPeople('staff', 'ann@e.test,Ann,e1,', 'ben@e.test,Ben,e2,', 'eve@e.test,Eve,e3,');
    const eve = await byAddress('eve@e.test');
    const { connectorId } = await importPeople('other', 'ben@e.test,Ann,e1,');
    const [record] = await listOf('DISPUTED', connectorId);
    await answer(record?.id, 'IGNORED');
    expect([await listOf('DISPUTED', connectorId), (await listOf('IGNORED', connectorId)).map(({ id }) => id)]).toEqual([[], [record?.id]]);
    expect((await listOf('IGNORED'))[0]).toMatchObject({ answeredAt: expect.any(String), answeredById: server.admin.id });
    const refused = await admin('GET', `/api/v1/identity/disputed?verdict=${verdict('SAME_PERSON')}`);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('verdict')]);
    expect(await answer(record?.id, 'SAME_PERSON', eve.id)).toMatchObject({ verdict: verdict('SAME_PERSON'), userId: eve.id });
    expect(await listOf('IGNORED', connectorId)).toEqual([]);
  });

  it.each(['SAME_PERSON', 'NEW_PERSON'])('of a provider is listed, and answered anew: %s', async (name) => {
    const email = `${name.toLowerCase()}@f.test`;
    const user = (userName: string): object => ({
      schemas: [urn.user],
      userName,
      externalId: `x-${userName}`,
      displayName: userName,
      active: true,
      emails: [{ value: email, primary: true }],
    });
    await scim.ok('POST', '/Users', user(`first-${name}`), 201);
    const first = await byAddress(email);
    await scim.ok('POST', '/Users', user(`second-${name}`), 201);
    const [record] = await listOf('DISPUTED', scim.connectorId);
    await answer(record?.id, 'IGNORED');
    expect((await listOf('IGNORED', scim.connectorId)).map(({ id }) => id)).toEqual([record?.id]);
    const answered = await answer(record?.id, name, name === 'SAME_PERSON' ? first.id : '');
    expect(answered.verdict).toBe(verdict(name));
    expect(answered.userId === first.id).toBe(name === 'SAME_PERSON');
    expect((await userOf(answered.userId)).status).toBe('ENABLED');
    expect(await listOf('IGNORED', scim.connectorId)).toEqual([]);
  });
});

describe('the completeness of a source', () => {
  it('says how many records are disputed: of the source now, and of a review as its snapshot froze it', async () => {
    await importPeople('base', 'ida@g.test,Ida,g1,', 'jo@g.test,Jo,g2,');
    const { connectorId, counts } = await importPeople('twisted', 'jo@g.test,Ida,g1,', 'ida@g.test,Ivy,g9,', 'kim@g.test,Kim,g3,');
    expect(counts.people.disputed).toBe('2');
    const sourceOf = async (id: string): Promise<Loose> => (await ok('GET', `/api/v1/sources/${id}`)).source;
    expect((await sourceOf(connectorId)).disputed).toBe(2);
    const { list } = await ok('GET', '/api/v1/sources?page_size=100');
    expect(list.find(({ id }: Loose) => id === connectorId).disputed).toBe(2);
    const file = 'account,email,resource_type,resource,entitlement\nida,ida@g.test,role,Desk,read';
    const { appId } = (await sendFile(server, server.admin, '/api/v1/imports/grants?app=Desk', file)).body.import;
    const { accessReview } = await ok('POST', '/api/v1/access_review', { displayName: 'Twisted' });
    const path = `/api/v1/access_review/${accessReview.accessReview.id}`;
    await ok('POST', path, { accessReview: { displayName: 'Twisted', singleApp: { appId } } });
    await ok('POST', `${path}/action/prepare`, {});
    await until(async () => expect((await ok('GET', path)).accessReview.accessReview.state).toBe('ACCESS_REVIEW_STATE_REVIEW'));
    const people = async (): Promise<Loose[]> => (await ok('GET', `${path}/completeness`)).completeness.peopleSources;
    const frozen = await people();
    expect(frozen).toContainEqual({ connectorId, displayName: 'twisted', disputed: '2' });
    expect(frozen.find(({ displayName }) => displayName === 'base')).toMatchObject({ disputed: '0' });
    for (const { id } of await listOf('DISPUTED', connectorId)) {
      await answer(id, 'IGNORED');
    }
    expect((await sourceOf(connectorId)).disputed).toBe(0);
    expect(await people()).toEqual(frozen);
  });
});
