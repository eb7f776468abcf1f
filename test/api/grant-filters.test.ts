/**
 * Narrowing who has what in an app, over HTTP: by words of the right, the account or the person, by the type of account, and as of a time. What
 * few hold and what many hold are found in two ways, and both say the same, page by page.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { untilLater } from '../support/until.ts';
import { sendFile } from '../support/world.ts';

const people = `email,display_name,manager_email,department,job_title,employment_status
ann@x.example,Änne Alder,,Legal,Clerk,ACTIVE
bob@x.example,Bob Birch,ann@x.example,Legal,Clerk,ACTIVE
`;
const header = 'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at';
const first = [
  'a1,ann@x.example,USER,ENABLED,role,Wiki,read,,',
  'a1,ann@x.example,USER,ENABLED,role,Wiki,write,,',
  'b1,bob@x.example,USER,ENABLED,role,Wiki,read,,',
  'robot,,SERVICE_ACCOUNT,ENABLED,role,Wiki,read,,',
  'kernel,,SYSTEM_ACCOUNT,ENABLED,role,Wiki,write,,',
];
/** Robot has lost what it had, and Bob got something. */
const second = [...first.filter((line) => !line.startsWith('robot')), 'robot,,SERVICE_ACCOUNT,ENABLED,role,Wiki,write,,'];
/** So many that no list of their accounts is made beforehand. */
const crowd = Array.from({ length: 1100 }, (_, number) => `worker${number},,USER,ENABLED,role,Hall,enter,,`);

describe('who has what, narrowed', () => {
  let server: TestServer;
  let wiki: string;
  let hall: string;
  let between: string;
  const ask = (query: string, app = wiki): Promise<Answer> => request(server, server.admin, 'GET', `/api/v1/apps/${app}/grants?${query}`);
  const all = async (query: string, size = 100, app = wiki): Promise<string[]> => {
    const found: string[] = [];
    let token = '';
    do {
      const { status, body } = await ask(`${query}&page_size=${size}&page_token=${encodeURIComponent(token)}`, app);
      expect([query, status, body.message]).toEqual([query, 200, undefined]);
      expect(body.list.length).toBeLessThanOrEqual(size);
      found.push(
        ...body.list.map(
          ({ grant }: Loose) =>
            `${grant.account.username} ${grant.isDerived ? 'access' : grant.entitlement.displayName.replace('Wiki ', '')}`,
        ),
      );
      token = body.nextPageToken;
    } while (token !== '');
    return found;
  };
  const sorted = async (query: string): Promise<string[]> => (await all(`exclude_derived=true&${query}`)).sort();

  beforeAll(async () => {
    server = await useTestServer();
    const upload = async (app: string, lines: readonly string[]): Promise<string> => {
      const path = `/api/v1/imports/grants?app=${app}&allow_removals=true`;
      return (await sendFile(server, server.admin, path, [header, ...lines].join('\n'))).body.import.appId;
    };
    await sendFile(server, server.admin, '/api/v1/imports/people', people);
    await upload('Wiki', first);
    await untilLater();
    between = new Date().toISOString();
    wiki = await upload('Wiki', second);
    hall = await upload('Hall', crowd);
  });
  afterAll(() => server.stop());

  it('finds by words of the right, of the account, and of its owner, whatever their case and accents', async () => {
    expect(await sorted('query=WRITE')).toEqual(['a1 write', 'kernel write', 'robot write']);
    expect(await sorted('query=anne')).toEqual(['a1 read', 'a1 write']);
    expect(await sorted('query=birch%20bob')).toEqual(['b1 read']);
    expect(await sorted('query=obo')).toEqual(['robot write']);
    expect(await sorted('query=nothing')).toEqual([]);
    expect(await sorted('query=%25')).toEqual([]);
    expect(await sorted('query=%20')).toHaveLength(5);
  });

  it('finds by words together: one of the person, another of the right, in any order and in several pages', async () => {
    expect(await sorted('query=anne%20write')).toEqual(['a1 write']);
    expect(await sorted('query=Write%20ALDER')).toEqual(['a1 write']);
    expect(await sorted('query=wiki%20a1%20read')).toEqual(['a1 read']);
    expect(await sorted('query=birch%20b1')).toEqual(['b1 read']);
    expect(await sorted('query=birch%20write')).toEqual([]);
    expect(await sorted('query=read%20write')).toEqual([]);
    expect(await sorted('query=birch%20b1%20bob%20x.example%20wiki%20read')).toEqual(['b1 read']);
    expect(await sorted('query=birch%20b1%20bob%20x.example%20wiki%20nothing')).toEqual([]);
    expect(await sorted('query=robot%20write&include_ended=true')).toEqual(['robot write']);
    expect(await sorted('query=wiki%20robot&account_type=APP_USER_TYPE_USER')).toEqual([]);
    const { body } = await request(server, server.admin, 'POST', '/api/v1/search/entitlements', { appIds: [wiki], query: 'read' });
    expect(await sorted(`query=birch%20read&entitlement_id=${body.list[0].appEntitlement.id}`)).toEqual(['b1 read']);
    // Few of many, many of many, and in pages.
    expect(await all('query=hall%20worker1099&exclude_derived=true', 100, hall)).toEqual(['worker1099 Hall enter']);
    for (const query of ['query=enter%20worker&exclude_derived=true', 'query=worker10%20enter&exclude_derived=true']) {
      const whole = await all(query, 500, hall);
      expect(whole).toHaveLength(query.includes('worker10') ? 111 : 1100);
      expect(await all(query, 37, hall)).toEqual(whole);
    }
  });

  it('finds accounts of one type, alone and with words', async () => {
    expect(await sorted('account_type=APP_USER_TYPE_SERVICE_ACCOUNT')).toEqual(['robot write']);
    expect(await sorted('account_type=APP_USER_TYPE_SYSTEM_ACCOUNT')).toEqual(['kernel write']);
    expect(await sorted('account_type=APP_USER_TYPE_USER&query=write')).toEqual(['a1 write']);
    expect(await sorted('account_type=APP_USER_TYPE_SYSTEM_ACCOUNT&query=robot')).toEqual([]);
    expect(violatedFields(await ask('account_type=APP_USER_TYPE_ROBOT'))).toEqual(['accountType']);
  });

  it('shows what was held at a time, ended since or not', async () => {
    expect(await sorted(`as_of=${between}`)).toEqual(['a1 read', 'a1 write', 'b1 read', 'kernel write', 'robot read']);
    expect(await sorted(`as_of=${between}&include_ended=true`)).toEqual(await sorted(`as_of=${between}`));
    expect(await sorted(`as_of=${between}&query=robot`)).toEqual(['robot read']);
    expect(await sorted('as_of=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await sorted('include_ended=true&query=robot')).toEqual(['robot read', 'robot write']);
    expect(violatedFields(await ask('as_of=yesterday'))).toEqual(['asOf']);
  });

  it('narrows one right further, and one person', async () => {
    const { body } = await request(server, server.admin, 'POST', '/api/v1/search/entitlements', { appIds: [wiki], query: 'read' });
    const read = body.list[0].appEntitlement.id;
    expect(await sorted(`entitlement_id=${read}`)).toEqual(['a1 read', 'b1 read']);
    expect(await sorted(`entitlement_id=${read}&query=birch`)).toEqual(['b1 read']);
    expect(await sorted(`entitlement_id=${read}&account_type=APP_USER_TYPE_SERVICE_ACCOUNT`)).toEqual([]);
    const { list } = (await request(server, server.admin, 'POST', '/api/v1/search/users', { query: 'alder' })).body;
    expect(await sorted(`user_id=${list[0].user.id}&query=write`)).toEqual(['a1 write']);
  });

  it('leaves out app access where that is asked for', async () => {
    expect(await all('query=robot')).toContain('robot access');
    expect(await all('query=robot&exclude_derived=true')).toEqual(['robot write']);
  });

  it('pages through what few have and what many have, each row once', async () => {
    for (const query of ['query=worker10', 'query=enter&exclude_derived=true', 'query=worker10&account_type=APP_USER_TYPE_USER']) {
      const whole = await all(query, 100, hall);
      expect(whole.length).toBeGreaterThan(100);
      expect(new Set(whole).size).toBe(whole.length);
      expect(await all(query, 37, hall)).toEqual(whole);
    }
    const many = await all('query=worker&exclude_derived=true', 500, hall);
    expect(new Set(many).size).toBe(1100);
    expect(await all('query=worker1099', 100, hall)).toHaveLength(2);
    expect(await all('account_type=APP_USER_TYPE_USER&exclude_derived=true', 500, hall)).toHaveLength(1100);
    expect(await all('account_type=APP_USER_TYPE_SERVICE_ACCOUNT', 500, hall)).toEqual([]);
  });
});
