/**
 * Facts of a person over time, over HTTP: each change with what was and what became, whoever made it, for those who read the inventory and for
 * oneself.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const header = 'email,display_name,manager_email,department,job_title,employment_status';
const boss = 'boss@x.example,Boss,,Shops,Head,ACTIVE';

describe('the facts of a person over time', () => {
  let server: TestServer;
  let other: ServedTenant;
  let ann: TestPerson;
  let bossId: string;
  let sourceId: string;
  const facts = (id: string, as: TestPerson = server.admin, query = ''): Promise<Answer> =>
    request(server, as, 'GET', `/api/v1/users/${id}/facts?page_size=100${query}`);
  const sync = async (...lines: string[]): Promise<void> => {
    const { status, body } = await sendFile(
      server,
      server.admin,
      '/api/v1/imports/people?allow_removals=true',
      [header, ...lines].join('\n'),
    );
    expect([status, body.message]).toEqual([200, undefined]);
    sourceId = body.import.connectorId;
  };
  /** Each change as fact, before and after, the newest first. */
  const changes = async (id: string): Promise<string[][]> => {
    const { status, body } = await facts(id);
    expect(status).toBe(200);
    return body.list.map((one: Loose) =>
      one.changes.map(({ fact, before, after }: Loose) => `${fact.replace('PERSON_FACT_', '')}: ${before} > ${after}`),
    );
  };

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other');
    await sync(boss, 'ann@x.example,Ann,,Shops,Clerk,ACTIVE');
    await sync(boss, 'ann@x.example,Ann,,Shops,Clerk,ACTIVE');
    await sync(boss, 'ann@x.example,Ann,boss@x.example,Finance,Clerk,ACTIVE');
    await sync(boss, 'ann@x.example,Ann,boss@x.example,Finance,Accountant,ACTIVE');
    const { list } = (await request(server, server.admin, 'POST', '/api/v1/search/users', { pageSize: 100 })).body;
    const idOf = (email: string): string => list.find(({ user }: Loose) => user.email === email).user.id;
    bossId = idOf('boss@x.example');
    ann = await server.issueClient(idOf('ann@x.example'));
  });
  afterAll(() => server.stop());

  it('are listed as what was and what became, the newest first; a file that says the same changes nothing', async () => {
    expect(await changes(ann.id)).toEqual([['JOB_TITLE: Clerk > Accountant'], ['DEPARTMENT: Shops > Finance', `MANAGER:  > ${bossId}`]]);
    expect(await changes(bossId)).toEqual([]);
  });

  it('name the source, what managers are called, and since when they are kept', async () => {
    const { body } = await facts(ann.id);
    expect(body.list[1]).toMatchObject({
      connectorId: sourceId,
      changes: [{}, { fact: 'PERSON_FACT_MANAGER', before: '', beforeDisplayName: '', after: bossId, afterDisplayName: 'Boss' }],
    });
    expect(new Date(body.list[0].changedAt) > new Date(body.list[1].changedAt)).toBe(true);
    const { user } = (await request(server, server.admin, 'GET', `/api/v1/users/${ann.id}`)).body.userView;
    expect(body.keptSince).toBe(user.createdAt);
  });

  it('have their beginning where people were there before changes were kept', async () => {
    await server.system().db.run(`UPDATE users SET facts_since = '2026-02-03' WHERE tenant_id = $1 AND id = $2`, [server.id, bossId]);
    expect((await facts(bossId)).body.keptSince).toBe('2026-02-03T00:00:00Z');
  });

  it('of one moment are one change: the first before, the last after', async () => {
    const set = (department: string, title: string) =>
      server
        .system()
        .db.run(`UPDATE users SET department = $3, job_title = $4, updated_at = '2999-01-01' WHERE tenant_id = $1 AND id = $2`, [
          server.id,
          bossId,
          department,
          title,
        ]);
    await set('Two', 'Head');
    await set('Three', 'Chief');
    expect((await changes(bossId))[0]).toEqual(['JOB_TITLE: Head > Chief', 'DEPARTMENT: Shops > Three']);
  });

  it('are read by oneself and by those who read the inventory, and by nobody else', async () => {
    expect((await facts(ann.id, ann)).status).toBe(200);
    expect((await facts(bossId, ann)).status).toBe(404);
    expect((await request(other, other.admin, 'GET', `/api/v1/users/${ann.id}/facts`)).status).toBe(404);
    expect((await facts('0'.repeat(27))).status).toBe(404);
  });

  it('say when somebody left, by the file that has them no more', async () => {
    await sync(boss, 'ann@x.example,Ann,boss@x.example,Finance,Accountant,TERMINATED');
    expect((await changes(ann.id))[0]).toEqual(['STATUS: ENABLED > DISABLED', 'EMPLOYMENT_STATUS: ACTIVE > TERMINATED']);
  });
});
