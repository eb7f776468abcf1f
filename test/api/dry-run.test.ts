/** Dry runs of both imports over HTTP: what a file would do, in counts and differences, what the guard says, and that nothing changes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const peopleHeader = 'email,display_name,department,manager_email,site';
const grantsHeader = 'account,email,resource_type,resource,entitlement';
const people = ['boss@dry.test,Boss,Fin,,Berlin', ...upTo(9).map((n) => `p${n}@dry.test,Person ${n},Fin,boss@dry.test,Berlin`)];
const grants = upTo(9).map((n) => `a${n},p${n}@dry.test,role,Ledger,read`);

describe('a dry run', () => {
  let server: TestServer;
  const file = (path: string, rows: readonly string[]): Promise<Answer> =>
    sendFile(
      server,
      server.admin,
      `/api/v1/imports/${path}`,
      [path.startsWith('people') ? peopleHeader : grantsHeader, ...rows].join('\n'),
    );
  const dry = async (path: string, rows: readonly string[]): Promise<Loose> => {
    const answer = await file(path, rows);
    expect([path, answer.status, answer.status === 200 || answer.body]).toEqual([path, 200, true]);
    return answer.body;
  };
  const changes = ({ dryRun }: Loose): string[] =>
    dryRun.differences.map(({ change, account, person, entitlement }: Loose) =>
      `${change.replace('SYNC_CHANGE_', '')} ${account || person} ${entitlement}`.trim(),
    );
  /** All that an import could write. */
  const everything = async (): Promise<unknown> =>
    server.test.admin(
      `SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM apps) AS apps, (SELECT count(*) FROM sources) AS sources, (SELECT count(*) FROM syncs) AS syncs,
        (SELECT count(*) FROM accounts) AS accounts, (SELECT count(*) FROM grants) AS grants, (SELECT count(*) FROM inventory_revisions) AS revisions,
        (SELECT count(*) FROM events WHERE kind LIKE '%import%') AS events, (SELECT string_agg(display_name || status || department, ',' ORDER BY id) FROM users) AS names`,
    );

  beforeAll(async () => {
    server = await startTestServer();
    expect((await file('people', people)).status).toBe(200);
    expect((await file('grants?app=Ledger', grants)).status).toBe(200);
  });
  afterAll(() => server.stop());

  it('of grants says what would be added and end, and changes nothing', async () => {
    const before = await everything();
    const body = await dry('grants?app=Ledger&dry_run=true', [
      ...grants.slice(1),
      'a1,p1@dry.test,role,Ledger,pay',
      'new,,role,Ledger,read',
    ]);
    expect(body.import).toMatchObject({ id: '', revision: '0', added: '2', removed: '1', state: 'IMPORT_STATE_DONE' });
    expect(body.dryRun).toMatchObject({ refusal: '', nextDifferenceToken: '' });
    expect(changes(body)).toEqual(['REMOVED a0 read', 'ADDED a1 pay', 'ADDED new read']);
    expect(body.dryRun.differences[1]).toMatchObject({
      person: 'Person 1',
      email: 'p1@dry.test',
      resourceType: 'role',
      resource: 'Ledger',
    });
    expect(await everything()).toEqual(before);
    expect(changes(await dry('grants?app=Ledger&dry_run=true', grants))).toEqual([]);
  });

  it('of grants says how accounts would change, and what a new app would be', async () => {
    const before = await everything();
    const moved = await dry('grants?app=Ledger&dry_run=true', ['a0,p1@dry.test,role,Ledger,read', ...grants.slice(1)]);
    expect(changes(moved)).toEqual(['CHANGED a0 read']);
    const made = await dry('grants?app=Brand%20New&dry_run=true', grants);
    expect(made.import).toMatchObject({ appId: '', connectorId: '', added: '9', findings: { isNewApp: true } });
    expect(await everything()).toEqual(before);
  });

  it('says what the guard would refuse, without refusing', async () => {
    const before = await everything();
    const few = await dry('grants?app=Ledger&dry_run=true', grants.slice(6));
    expect(few.dryRun.refusal).toMatch(/would end 6 of the 9 grants/);
    expect(few.import.removed).toBe('6');
    expect((await dry('grants?app=Ledger&dry_run=true&allow_removals=true', grants.slice(6))).dryRun.refusal).toBe('');
    const one = await dry('people?dry_run=true', people.slice(0, 3));
    expect(one.dryRun.refusal).toMatch(/would disable 7 of the 10 people/);
    expect(await everything()).toEqual(before);
  });

  it('of people says who would come, change and be disabled', async () => {
    const before = await everything();
    const rows = [...people.slice(0, 9), 'new@dry.test,Newcomer,Fin,boss@dry.test,Rome'].map((row) =>
      row.replace('Person 3,Fin', 'Person Three,Law'),
    );
    const body = await dry('people?dry_run=true', rows);
    expect(body.import).toMatchObject({ id: '', added: '1', changed: '1', removed: '1' });
    expect(changes(body)).toEqual(['ADDED Newcomer', 'REMOVED Person 8', 'CHANGED Person Three']);
    expect(body.dryRun.differences[2].fields).toEqual([
      { name: 'department', before: 'Fin', after: 'Law' },
      { name: 'displayName', before: 'Person 3', after: 'Person Three' },
    ]);
    expect(body.dryRun.differences[1].fields).toMatchObject([{ name: 'status', before: 'ENABLED', after: 'DISABLED' }]);
    const moved = await dry(
      'people?dry_run=true',
      people.map((row) => row.replace('Berlin', 'Rome')),
    );
    expect(changes(moved)).toHaveLength(10);
    expect(await everything()).toEqual(before);
  });

  it('goes on from answer to answer with the same file', async () => {
    const rows = [...grants, ...upTo(450).map((n) => `many${n},,role,Ledger,read`)];
    const found: string[] = [];
    let token = '';
    do {
      const body = await dry(`grants?app=Ledger&dry_run=true&difference_token=${token}`, rows);
      found.push(...changes(body));
      token = body.dryRun.nextDifferenceToken;
    } while (token !== '');
    expect(found).toHaveLength(450);
    expect(new Set(found).size).toBe(450);
  });

  it('refuses wrong rows as ever, records nothing of it, and is never begun by a token alone', async () => {
    const before = await everything();
    expect((await file('grants?app=Ledger&dry_run=true', [',p0@dry.test,role,Ledger,read'])).status).toBe(400);
    for (const path of [
      'grants?app=Ledger&difference_token=WyJhIiwiYiJd',
      'people?difference_token=WyJhIiwiYiJd',
      'people?dry_run=true&difference_token=nonsense',
    ]) {
      const answer = await file(path, []);
      expect([path, answer.status, violatedFields(answer)]).toEqual([path, 400, ['differenceToken']]);
    }
    const { admin } = server;
    const basic = await server.makePerson('basic@dry.test');
    expect((await sendFile(server, basic, '/api/v1/imports/people?dry_run=true', peopleHeader)).status).toBe(403);
    const { users: _more, names: _too, ...after } = ((await everything()) as Loose[])[0];
    const { users: _few, names: _those, ...kept } = (before as Loose[])[0];
    expect(after).toEqual(kept);
    expect((await request(server, admin, 'GET', '/api/v1/imports')).body.list).toHaveLength(2);
  });
});
