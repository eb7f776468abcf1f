/** Worked examples of who a person is: records of identity providers and of files, and what is made of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { connectScim, patch, type ScimClient, urn } from '../support/scim.ts';
import { type TestServer, useTestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

let server: TestServer;
let scim: ScimClient;
let count = 0;
const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
const ok = async (method: string, path: string, body?: unknown): Promise<Loose> => {
  const answer = await admin(method, path, body);
  expect([path, answer.status, answer.status === 200 ? undefined : answer.body]).toEqual([path, 200, undefined]);
  return answer.body;
};
const superAdministrator = '000000000SuperAdministrator';
/** A name that no other test has. */
const fresh = (name: string): string => `${name}${++count}`;
const peopleOf = async (query: string): Promise<Loose[]> =>
  (await ok('POST', '/api/v1/search/users', { query })).list.map((one: Loose) => one.user);
const userOf = async (id: string): Promise<Loose> => (await ok('GET', `/api/v1/users/${id}`)).userView.user;
const byAddress = async (email: string): Promise<Loose> => (await ok('POST', '/api/v1/search/users', { email })).list[0]?.user;
const disputed = async (): Promise<Loose[]> => (await ok('GET', '/api/v1/identity/disputed')).list;
const answer = (id: string, verdict: string, userId = ''): Promise<Loose> =>
  ok('POST', `/api/v1/identity/records/${id}/action/answer`, { verdict: `PERSON_RECORD_VERDICT_${verdict}`, userId });
const importPeople = async (source: string, file: string, more = '&allow_removals=true'): Promise<Loose> => {
  const { status, body } = await sendFile(server, server.admin, `/api/v1/imports/people?source=${source}${more}`, file);
  expect([status, body.message]).toEqual([200, undefined]);
  return body.import;
};
const importGrants = async (app: string, file: string): Promise<Loose> => {
  const { status, body } = await sendFile(server, server.admin, `/api/v1/imports/grants?app=${app}`, file);
  expect([status, body.message]).toEqual([200, undefined]);
  return body.import;
};
/** The accounts of an app with their owners' ids. */
const owners = async (appId: string): Promise<Record<string, string | null>> => {
  const rows = await server.test.admin(
    `SELECT external_id AS name, user_id AS owner FROM accounts WHERE tenant_id = $1 AND app_id = $2 AND status <> 'DELETED'`,
    [server.id, appId],
  );
  return Object.fromEntries(rows.map(({ name, owner }) => [name, owner]));
};
interface Pushed {
  readonly externalId?: string;
  readonly active?: boolean;
  readonly displayName?: string;
  readonly email?: string;
  readonly employeeNumber?: string;
}
const user = (userName: string, { externalId, active, displayName, email, employeeNumber }: Pushed): object => ({
  schemas: [urn.user],
  userName,
  ...(externalId === undefined ? {} : { externalId }),
  ...(active === undefined ? {} : { active }),
  ...(displayName === undefined ? {} : { displayName }),
  ...(email === undefined ? {} : { emails: [{ value: email, primary: true }] }),
  ...(employeeNumber === undefined ? {} : { [urn.enterprise]: { employeeNumber } }),
});
const push = (userName: string, said: Pushed): Promise<Loose> => scim.ok('POST', '/Users', user(userName, said), 201);

beforeAll(async () => {
  server = await useTestServer();
  scim = await connectScim(server, 'Directory');
});
afterAll(async () => {
  await checkInventory(server.test.admin, server.id);
  await server.stop();
});

describe('over SCIM', () => {
  it.each(['deleted', 'disabled, and pushed over'])(
    'example 1: a joiner with the user name of a leaver, who was %s, is somebody new',
    async (how) => {
      const name = fresh('kmiller');
      const of = (who: string, employeeNumber: string): Pushed => ({
        externalId: `x-${who}-${name}`,
        active: true,
        displayName: `${who} Miller`,
        email: `${who}.${name}@corp.test`,
        employeeNumber: `${employeeNumber}-${name}`,
      });
      const { id } = await push(name, of('karl', '2002'));
      const karl = await byAddress(`karl.${name}@corp.test`);
      await ok('PUT', `/api/v1/users/${karl.id}/roles`, { roleIds: [superAdministrator] });
      if (how === 'deleted') {
        await scim.ok('DELETE', `/Users/${id}`, undefined, 204);
        await push(name, of('kim', '3002'));
      } else {
        await scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: false }));
        await scim.ok('PUT', `/Users/${id}`, user(name, of('kim', '3002')));
      }
      const kim = await byAddress(`kim.${name}@corp.test`);
      expect(kim.id).not.toBe(karl.id);
      expect([kim.status, kim.roleIds]).toEqual(['ENABLED', ['000000000000000000BasicUser']]);
      expect(await userOf(karl.id)).toMatchObject({ status: 'DISABLED', displayName: 'karl Miller', employeeIds: [`2002-${name}`] });
      expect((await owners(scim.appId))[name]).toBe(kim.id);
    },
  );

  it('example 4: whom HR terminated stays disabled, whatever a provider says of them', async () => {
    const name = fresh('lea');
    const email = `${name}@corp.test`;
    const { id } = await push(email, { externalId: `x-${name}`, active: true, displayName: 'Lea', email });
    await importPeople('hr4', `email,display_name,employment_status\n${email},Lea,TERMINATED\n`);
    const lea = await byAddress(email);
    expect(lea.status).toBe('DISABLED');
    await scim.ok('PUT', `/Users/${id}`, user(email, { externalId: `x-${name}`, displayName: 'Lea Smith', email }));
    expect(await userOf(lea.id)).toMatchObject({ status: 'DISABLED', displayName: 'Lea Smith' });
    await scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: true }));
    expect((await userOf(lea.id)).status).toBe('DISABLED');
    const [event] = await server.test.admin('SELECT kind, data FROM events WHERE tenant_id = $1 ORDER BY id DESC LIMIT 1', [server.id]);
    expect(event).toMatchObject({ kind: 'scim.user_updated', data: { stays: 'terminated' } });
  });

  it.each([
    ['left out', (said: Pushed) => said],
    ['null', (said: Pushed) => ({ ...said, active: null })],
  ])('a status that is %s stays as it was', async (_how, change) => {
    const name = fresh('lou');
    const said = { externalId: `x-${name}`, displayName: name, email: `${name}@corp.test` };
    const { id } = await push(name, { ...said, active: true });
    const lou = await byAddress(said.email);
    await scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: 'False' }));
    const answered = await scim.ok('PUT', `/Users/${id}`, { ...user(name, said), ...change({}) });
    expect([answered.active, (await userOf(lou.id)).status]).toEqual([false, 'DISABLED']);
    await scim.ok('PATCH', `/Users/${id}`, patch({ op: 'remove', path: 'active' }));
    expect((await userOf(lou.id)).status).toBe('DISABLED');
    await scim.ok('DELETE', `/Users/${id}`, undefined, 204);
    await push(name, said);
    expect((await userOf(lou.id)).status).toBe('DISABLED');
  });

  it('example 6: two users of one address are one person with two accounts; the second one takes nothing with it', async () => {
    const name = fresh('yva');
    const email = `${name}@c.test`;
    await push(email, { displayName: 'Yva', email, active: true });
    const yva = await byAddress(email);
    const second = await push(`adm-${email}`, { displayName: 'Yva (admin)', email, active: true });
    const said = { displayName: 'Yva', username: email, email, status: 'ENABLED' };
    expect(await userOf(yva.id)).toMatchObject(said);
    expect(await owners(scim.appId)).toMatchObject({ [email]: yva.id, [`adm-${email}`]: yva.id });
    await scim.ok('DELETE', `/Users/${second.id}`, undefined, 204);
    expect(await userOf(yva.id)).toMatchObject(said);
    expect((await owners(scim.appId))[email]).toBe(yva.id);
  });

  it('a second user with other ids is disputed, and one person once somebody says so', async () => {
    const name = fresh('yva');
    const email = `${name}@c.test`;
    await push(email, { externalId: `x-1-${name}`, displayName: 'Yva', email, active: true, employeeNumber: `Y1-${name}` });
    const yva = await byAddress(email);
    const pay = await importGrants(`Pay${name}`, `account,employee_id,entitlement\nyv,Y1-${name},Release\n`);
    const other = { externalId: `x-2-${name}`, displayName: 'Yva (admin)', email, active: true, employeeNumber: `ADM1-${name}` };
    const second = await push(`adm-${email}`, other);
    expect(second['urn:countersign:params:scim:schemas:extension:1.0:User']).toEqual({ countersignState: 'DISPUTED' });
    expect(await userOf(yva.id)).toMatchObject({ displayName: 'Yva', username: email, employeeIds: [`Y1-${name}`] });
    expect((await owners(scim.appId))[`adm-${email}`]).toBeNull();
    const [record] = (await disputed()).filter((one) => one.email === email);
    expect(record).toMatchObject({
      verdict: 'PERSON_RECORD_VERDICT_DISPUTED',
      reason: 'PERSON_DISPUTE_REASON_OTHER_ID',
      anchorKind: 'PERSON_ANCHOR_KIND_EXTERNAL_ID',
      candidates: [{ userId: yva.id, displayName: 'Yva', email, employeeId: `Y1-${name}`, isEnabled: true }],
    });
    expect((await answer(record?.id, 'SAME_PERSON', yva.id)).record).toMatchObject({ userId: yva.id });
    expect(await userOf(yva.id)).toMatchObject({ displayName: 'Yva', username: email, employeeIds: [`Y1-${name}`] });
    expect(await owners(scim.appId)).toMatchObject({ [email]: yva.id, [`adm-${email}`]: yva.id });
    const again = await scim.ok('PUT', `/Users/${second.id}`, user(`adm-${email}`, other));
    expect(again['urn:countersign:params:scim:schemas:extension:1.0:User']).toBeUndefined();
    await scim.ok('DELETE', `/Users/${second.id}`, undefined, 204);
    expect(await userOf(yva.id)).toMatchObject({ status: 'ENABLED', displayName: 'Yva', username: email, employeeIds: [`Y1-${name}`] });
    expect((await owners(pay.appId))['yv']).toBe(yva.id);
    expect(await disputed()).toEqual([]);
  });

  it('a disputed user that is somebody new is made apart, and its address stays with who has it', async () => {
    const name = fresh('desk');
    const email = `${name}@c.test`;
    await push(`a-${name}`, { externalId: `a-${name}`, displayName: 'A', email, active: true });
    const second = await push(`b-${name}`, { externalId: `b-${name}`, displayName: 'B', email, active: true });
    const [record] = await disputed();
    const { userId } = (await answer(record?.id, 'NEW_PERSON')).record;
    expect(await userOf(userId)).toMatchObject({ displayName: 'B', username: `b-${name}`, status: 'ENABLED' });
    expect((await owners(scim.appId))[`b-${name}`]).toBe(userId);
    const put = await scim.send(
      'PUT',
      `/Users/${second.id}`,
      user(`b-${name}`, { externalId: `b-${name}`, displayName: 'B2', email, active: true }),
    );
    expect([put.status, (await userOf(userId)).displayName]).toEqual([200, 'B2']);
    expect((await byAddress(email)).displayName).toBe('A');
  });

  it('a disputed user that is ignored stands for nobody, and is not asked about again', async () => {
    const name = fresh('bot');
    const email = `${name}@c.test`;
    await push(`a-${name}`, { externalId: `a-${name}`, displayName: 'A', email, active: true });
    const said = { externalId: `b-${name}`, displayName: 'B', email, active: true };
    const second = await push(`b-${name}`, said);
    const [record] = await disputed();
    await answer(record?.id, 'IGNORED');
    const put = await scim.ok('PUT', `/Users/${second.id}`, user(`b-${name}`, { ...said, displayName: 'B2' }));
    expect(put['urn:countersign:params:scim:schemas:extension:1.0:User']).toEqual({ countersignState: 'IGNORED' });
    expect([await disputed(), (await owners(scim.appId))[`b-${name}`]]).toEqual([[], null]);
    const { status } = await admin('POST', `/api/v1/identity/records/${record?.id}/action/answer`, {
      verdict: 'PERSON_RECORD_VERDICT_SAME_PERSON',
      userId: 'nobody',
    });
    expect(status).toBe(400);
  });
});

describe('by file', () => {
  const header = 'email,display_name,employee_id,department,employment_status';

  it('example 2: an address of somebody who left is given to somebody new', async () => {
    await importPeople('hr2', `${header}\nboss@c2.test,Bea Boss,c2-1,HR,ACTIVE\nc.temp@c2.test,Carl Contractor,c2-501,Yard,TERMINATED\n`);
    const carl = await byAddress('c.temp@c2.test');
    await importPeople('hr2', `${header}\nboss@c2.test,Bea Boss,c2-1,HR,ACTIVE\nc.temp@c2.test,Cora Contractor,c2-777,Lab,ACTIVE\n`);
    const cora = await byAddress('c.temp@c2.test');
    expect(cora).toMatchObject({ displayName: 'Cora Contractor', employeeIds: ['c2-777'], department: 'Lab', status: 'ENABLED' });
    expect(cora.id).not.toBe(carl.id);
    expect(await userOf(carl.id)).toMatchObject({
      displayName: 'Carl Contractor',
      employeeIds: ['c2-501'],
      department: 'Yard',
      status: 'DISABLED',
      email: '',
    });
  });

  it('example 3: an employee with another address is the same person', async () => {
    const file = (address: string, name: string): string =>
      `email,display_name,employee_id,manager_email\nmia@d.test,Mia,d1,\n${address}@d.test,${name},d42,mia@d.test\ntom@d.test,Tom,d43,${address}@d.test\n`;
    await importPeople('hr3', file('anna.alt', 'Anna Alt'));
    const anna = await byAddress('anna.alt@d.test');
    const sync = await importPeople('hr3', file('anna.neu', 'Anna Neu'), '');
    expect([sync.added, sync.changed, sync.removed]).toEqual(['0', '1', '0']);
    expect(await userOf(anna.id)).toMatchObject({ email: 'anna.neu@d.test', displayName: 'Anna Neu', status: 'ENABLED' });
    expect((await byAddress('tom@d.test')).managerIds).toEqual([anna.id]);
  });

  it('an address, a name or an employee id in another form is the same', async () => {
    await importPeople('hrk', `${header}\nzoe\u200b@k.test,Zoe\u0301 K,k 1,,\n`);
    const zoe = await byAddress('zoe@k.test');
    expect([zoe.email, zoe.employeeIds]).toEqual(['zoe@k.test', ['k1']]);
    const sync = await importPeople('hrk', `${header}\n\ufeffzo\u2060e@k.test\u00a0,Zo\u00e9 K,\u200bk1,,\n`);
    expect([sync.added, sync.removed]).toEqual(['0', '0']);
    await push(fresh('zoe'), { externalId: fresh('x'), active: true, displayName: 'Zoé K', email: 'ZOE\u200d@k.test' });
    expect((await peopleOf('Zoé K')).map((one) => one.id)).toEqual([zoe.id]);
  });

  it('example 8: two people swap addresses, and both stay who they are', async () => {
    await importPeople('hr8', `${header}\na@h.test,Ann,h1,,\nb@h.test,Ben,h2,,\n`);
    const [ann, ben] = [await byAddress('a@h.test'), await byAddress('b@h.test')];
    const sync = await importPeople('hr8', `${header}\nb@h.test,Ann,h1,,\na@h.test,Ben,h2,,\n`, '');
    expect([sync.added, sync.changed, sync.removed]).toEqual(['0', '2', '0']);
    expect([(await userOf(ann.id)).email, (await userOf(ben.id)).email]).toEqual(['b@h.test', 'a@h.test']);
  });

  it('example 9: an address of somebody who left, with another name and no ids: asked once', async () => {
    const others = 'o1@i.test,One\no2@i.test,Two\no3@i.test,Three\n';
    await importPeople('hr9', `email,display_name\nc@i.test,Carl\n${others}`);
    const carl = await byAddress('c@i.test');
    await importPeople('hr9', `email,display_name\n${others}`);
    expect((await userOf(carl.id)).status).toBe('DISABLED');
    const file = `email,display_name\nc@i.test,Cora\n${others}`;
    const sync = await importPeople('hr9', file);
    expect([sync.added, sync.counts.people.disputed]).toEqual(['0', '1']);
    expect(sync.warnings.map((one: Loose) => [one.line, one.reason])).toEqual([['2', expect.stringContaining('Carl')]]);
    const [record] = await disputed();
    expect(record).toMatchObject({ reason: 'PERSON_DISPUTE_REASON_OTHER_NAME', candidates: [{ userId: carl.id }], displayName: 'Cora' });
    await importPeople('hr9', file);
    expect((await disputed()).map((one) => one.id)).toEqual([record?.id]);
    const { userId } = (await answer(record?.id, 'NEW_PERSON')).record;
    expect(await userOf(userId)).toMatchObject({ displayName: 'Cora', email: 'c@i.test', status: 'ENABLED' });
    const again = await importPeople('hr9', file);
    expect([again.added, again.counts.people.disputed ?? '0', await disputed()]).toEqual(['0', '0', []]);
    expect(await userOf(carl.id)).toMatchObject({ displayName: 'Carl', status: 'DISABLED', email: '' });
  });

  it('example 10: the employee id of one and the address of another: nothing of either changes', async () => {
    await importPeople('hr10', `${header}\nann@j.test,Ann,j1,HR,\nben@j.test,Ben,j2,HR,\n`);
    const [ann, ben] = [await byAddress('ann@j.test'), await byAddress('ben@j.test')];
    const sync = await importPeople('other10', `${header}\nben@j.test,Ann,j1,IT,TERMINATED\n`);
    expect([sync.added, sync.changed, sync.counts.people.disputed]).toEqual(['0', '0', '1']);
    const [record] = await disputed();
    expect(record?.candidates.map((one: Loose) => one.userId).sort()).toEqual([ann.id, ben.id].sort());
    expect([await userOf(ann.id), await userOf(ben.id)]).toEqual([ann, ben].map((one) => ({ ...one })));
    await answer(record?.id, 'IGNORED');
  });
});

describe('records', () => {
  it('are listed by person and by source; an answered one is not answered again', async () => {
    const name = fresh('rec');
    const email = `${name}@r.test`;
    await push(name, { externalId: name, displayName: 'Rec', email, active: true });
    const rec = await byAddress(email);
    const records = async (query: string): Promise<Loose[]> => (await ok('GET', `/api/v1/identity/records?${query}`)).list;
    const [record, ...more] = await records(`user_id=${rec.id}`);
    expect([record.anchor, record.state, more]).toEqual([name, 'PERSON_RECORD_STATE_LIVE', []]);
    const ofSource = await records(`source_id=${scim.connectorId}&page_size=100`);
    expect(ofSource.map((one) => one.id)).toContain(record.id);
    expect([await records('source_id=nobody'), await records('user_id=nobody')]).toEqual([[], []]);
    expect((await ok('GET', '/api/v1/identity/disputed?source_id=nobody')).list).toEqual([]);
    const answered = await admin('POST', `/api/v1/identity/records/${record.id}/action/answer`, {
      verdict: 'PERSON_RECORD_VERDICT_IGNORED',
    });
    expect([answered.status, answered.body.code]).toEqual([400, 9]);
    for (const [body, status] of [
      [{}, 400],
      [{ verdict: 'PERSON_RECORD_VERDICT_CLEAR' }, 400],
    ] as const) {
      expect((await admin('POST', `/api/v1/identity/records/${record.id}/action/answer`, body)).status).toBe(status);
    }
    expect((await admin('GET', '/api/v1/identity/records/nothing')).status).toBe(404);
  });
});

describe('by both', () => {
  it('a provider and a file report one person, who is there while one of them says so', async () => {
    const email = `${fresh('mixed')}@m.test`;
    const { id } = await push(email, { externalId: email, displayName: 'Mix', email, active: true, employeeNumber: 'm1' });
    await importPeople('hrm', `email,display_name,employee_id\n${email},Mix,m1\n`);
    const mix = await byAddress(email);
    await importPeople('hrm', 'email,display_name,employee_id\nother@m.test,Other,m2\n');
    expect((await userOf(mix.id)).status).toBe('ENABLED');
    await scim.ok('DELETE', `/Users/${id}`, undefined, 204);
    expect((await userOf(mix.id)).status).toBe('DISABLED');
    expect((await peopleOf('Mix')).map((one) => one.id)).toEqual([mix.id]);
  });
});
