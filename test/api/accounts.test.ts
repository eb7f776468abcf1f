/** Accounts over HTTP: every member of theirs, every filter of their search, what may be changed of them, and by whom. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const people = `email,display_name,manager_email,department,job_title,employment_status
ann@x.example,Ann,,Legal,Clerk,ACTIVE
bob@y.example,Bob,ann@x.example,Legal,Clerk,ACTIVE
`;
const header =
  'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at,username,employee_id,display_name';
const wikiFile = `${header}
ann,ann@x.example,USER,ENABLED,role,Wiki,read,,,Ann.Login,E-1,Ann in the wiki
bob,BOB@Y.example,USER,DISABLED,role,Wiki,read,,,,,
guest,guest@else.example,USER,ENABLED,role,Wiki,read,,,,,
robot,,SERVICE_ACCOUNT,ENABLED,role,Wiki,read,,,,,
daemon,,SYSTEM_ACCOUNT,ENABLED,role,Wiki,read,,,,,
`;
const mailFile = `${header}
ann@x.example,ann@x.example,USER,ENABLED,role,Mail,read,,,,,
keys,ann@x.example,SERVICE_ACCOUNT,ENABLED,role,Mail,read,,,,,
`;

describe('accounts over HTTP', () => {
  let server: TestServer;
  let other: ServedTenant;
  let wiki: string;
  let mail: string;
  let annId: string;
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const search = async (body: object): Promise<Loose[]> => {
    const answer = await admin('POST', '/api/v1/search/app_users', body);
    expect([body, answer.status]).toEqual([body, 200]);
    return answer.body.list.map(({ appUser }: Loose) => appUser);
  };
  const namesOf = async (body: object): Promise<string[]> => (await search(body)).map((one) => one.usernames.at(-1)).sort();
  const account = async (name: string): Promise<Loose> => (await search({ query: name, appIds: [wiki] }))[0];
  const upload = async (app: string, file: string): Promise<string> => {
    const answer = await sendFile(server, server.admin, `/api/v1/imports/grants?app=${app}&allow_removals=true`, file);
    expect(answer.status).toBe(200);
    return answer.body.import.appId;
  };

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other');
    expect((await sendFile(server, server.admin, '/api/v1/imports/people', people)).status).toBe(200);
    wiki = await upload('Wiki', wikiFile);
    mail = await upload('Mail', mailFile);
    annId = (await account('ann')).identityUserId;
  });
  afterAll(() => server.stop());

  it('are shown with all that is known of them', async () => {
    const { appUser } = (await admin('GET', `/api/v1/apps/${wiki}/app_users?page_size=100`)).body.list.find(
      (view: Loose) => view.appUser.username === 'Ann.Login',
    );
    expect(appUser).toMatchObject({
      appId: wiki,
      displayName: 'Ann in the wiki',
      email: 'ann@x.example',
      emails: ['ann@x.example'],
      username: 'Ann.Login',
      usernames: ['Ann.Login', 'ann'],
      employeeIds: ['E-1'],
      identityUserId: annId,
      isExternal: false,
      appUserType: 'APP_USER_TYPE_USER',
      status: { status: 'STATUS_ENABLED', details: '' },
      agentStatus: 'APP_USER_AGENT_STATUS_UNSPECIFIED',
      nhiType: 'APP_USER_NHI_TYPE_UNSPECIFIED',
      profile: {},
    });
    expect(appUser.deletedAt).toBeUndefined();
    expect(await account('robot')).toMatchObject({ email: '', emails: [], username: 'robot', usernames: ['robot'], employeeIds: [] });
    expect(await account('guest')).toMatchObject({ isExternal: true, identityUserId: '' });
  });

  it('are found by every filter', async () => {
    const wikis = ['ann', 'bob', 'daemon', 'guest', 'robot'];
    const mails = ['ann@x.example', 'keys'];
    const idOf = async (name: string): Promise<string> => (await account(name)).id;
    const [bob, robot] = [await idOf('bob'), await idOf('robot')];
    const expectations: [object, string[]][] = [
      [{}, [...mails, ...wikis].sort()],
      [{ appId: wiki }, wikis],
      [{ appIds: [mail] }, mails],
      [{ appId: wiki, appIds: [mail] }, []],
      [{ appUserIds: [bob, robot] }, ['bob', 'robot']],
      [{ appUserIds: [bob, robot], excludeAppUserIds: [bob] }, ['robot']],
      [{ refs: [{ appId: wiki, id: bob }] }, ['bob']],
      // An account of another app with that id.
      [{ refs: [{ appId: mail, id: bob }] }, []],
      [{ userIds: [annId] }, ['ann', ...mails]],
      [{ withoutResponsibleParty: true }, ['daemon', 'guest', 'robot']],
      [{ appUserStatuses: ['STATUS_DISABLED'] }, ['bob']],
      [{ appUserStatuses: ['STATUS_DISABLED', 'STATUS_ENABLED'], appId: wiki }, wikis],
      [{ appUserStatuses: ['STATUS_DELETED'] }, []],
      [{ appUserTypes: ['APP_USER_TYPE_SERVICE_ACCOUNT', 'APP_USER_TYPE_SYSTEM_ACCOUNT'] }, ['daemon', 'keys', 'robot']],
      [{ appUserDomains: ['APP_USER_DOMAIN_EXTERNAL'] }, ['guest']],
      [{ appUserDomains: ['APP_USER_DOMAIN_TRUSTED'], appId: wiki }, wikis.filter((name) => name !== 'guest')],
      [{ appUserDomains: ['APP_USER_DOMAIN_TRUSTED', 'APP_USER_DOMAIN_EXTERNAL'], appId: wiki }, wikis],
      [{ appUserDomains: ['APP_USER_DOMAIN_UNSPECIFIED'], appId: wiki }, wikis],
      [{ query: 'in the wiki' }, ['ann']],
      [{ query: 'Y.EXAMPLE' }, ['bob']],
      [{ query: ' ' }, [...mails, ...wikis].sort()],
      [{ excludeDeletedApps: true, appId: mail }, mails],
      // What no account has: only "none of them" is found.
      [{ withOpenFindings: true }, []],
      [{ agentStatuses: ['APP_USER_AGENT_STATUS_READY'] }, []],
      [{ agentStatuses: ['APP_USER_AGENT_STATUS_UNSPECIFIED'], appId: mail }, mails],
      [{ nhiTypes: ['APP_USER_NHI_TYPE_ASSUMABLE_ROLE'] }, []],
      [{ nhiTypes: ['APP_USER_NHI_TYPE_UNSPECIFIED'], appId: mail }, mails],
      [{ appUserStatusDetails: ['locked'] }, []],
      [{ appUserStatusDetails: ['locked', ''], appId: mail }, mails],
    ];
    for (const [filter, names] of expectations) {
      expect([filter, await namesOf(filter)]).toEqual([filter, names]);
    }
    const byApp = await search({ sortBy: 'APP_USER_SEARCH_SORT_BY_APP' });
    const keys = byApp.map((one) => `${one.appId}/${one.id}`);
    expect(keys).toEqual([...keys].sort());
    expect((await request(other, other.admin, 'POST', '/api/v1/search/app_users', { appIds: [wiki] })).body.list).toEqual([]);
    expect((await admin('POST', '/api/v1/search/app_users', { appUserStatuses: ['STATUS_LOST'] })).status).toBe(400);
  });

  it('are external until a person with that domain is there', async () => {
    const file = `${people}cat@else.example,Cat,,,,ACTIVE\n`;
    expect(
      (await sendFile(server, server.admin, '/api/v1/imports/people?source=more', file.replace(/^(?:ann|bob).*\n/gm, ''))).status,
    ).toBe(200);
    expect(await namesOf({ appUserDomains: ['APP_USER_DOMAIN_EXTERNAL'] })).toEqual([]);
    expect(await account('guest')).toMatchObject({ isExternal: false });
    await server.test.admin(`UPDATE users SET status = 'DELETED' WHERE tenant_id = $1 AND email_key = 'cat@else.example'`, [server.id]);
    expect(await namesOf({ appUserDomains: ['APP_USER_DOMAIN_EXTERNAL'] })).toEqual(['guest']);
  });

  it('are expanded with app and owner; a last usage is known and brings nothing', async () => {
    const { body } = await admin('POST', '/api/v1/search/app_users', {
      appIds: [wiki],
      query: 'ann',
      expandMask: { paths: ['app_id', 'identity_user_id', 'last_usage'] },
    });
    const [view] = body.list;
    const at = (path: string): Loose => body.expanded[Number(/\[(\d+)\]/.exec(path)?.[1])];
    expect(at(view.appPath)).toMatchObject({ '@type': 'type.googleapis.com/c1.api.app.v1.App', id: wiki });
    expect(at(view.identityUserPath)).toMatchObject({ '@type': 'type.googleapis.com/c1.api.user.v1.User', id: annId });
    expect(view.lastUsagePath).toBe('');
    expect(body.expanded).toHaveLength(2);
  });

  it('have no credentials here', async () => {
    const { id } = await account('ann');
    expect((await admin('GET', `/api/v1/apps/${wiki}/app_users/${id}/credentials`)).body).toEqual({ list: [], nextPageToken: '' });
    for (const path of [`${mail}/app_users/${id}`, `${wiki}/app_users/nothing`]) {
      expect((await admin('GET', `/api/v1/apps/${path}/credentials`)).status).toBe(404);
    }
    expect((await request(other, other.admin, 'GET', `/api/v1/apps/${wiki}/app_users/${id}/credentials`)).status).toBe(404);
  });

  it('of services are listed for whoever owns them', async () => {
    const ann = await server.issueClient(annId);
    const list = (person: TestPerson) =>
      request(server, person, 'POST', '/api/v1/app_users/owned_service_accounts', { expandMask: { paths: ['*'] } });
    const { body } = await list(ann);
    expect(body.list.map(({ appUser }: Loose) => appUser.username)).toEqual(['keys']);
    expect(body.expanded.map((one: Loose) => one.id).sort()).toEqual([annId, mail].sort());
    expect((await list(server.admin)).body).toMatchObject({ list: [], nextPageToken: '' });
  });

  describe('updated', () => {
    const update = async (name: string, body: object, app = wiki): Promise<Answer> => {
      const { id } = await account(name);
      return admin('POST', `/api/v1/apps/${app}/app_users/${id}`, body);
    };
    const events = async (name: string): Promise<Loose[]> => {
      const { id } = await account(name);
      return server.test.admin(`SELECT data FROM events WHERE kind = 'account.updated' AND target_id = $1 ORDER BY id`, [id]);
    };
    const revision = async (): Promise<unknown> =>
      (await server.test.admin(`SELECT value FROM tenant_counters WHERE tenant_id = $1 AND name = 'inventory_revision'`, [server.id]))[0]
        ?.value;

    it('take a type manually, which survives a sync, until it is given back', async () => {
      const before = await revision();
      const answer = await update('guest', {
        appUser: { appUserType: 'APP_USER_TYPE_SERVICE_ACCOUNT' },
        updateMask: 'appUserType',
        expandMask: { paths: ['app_id'] },
      });
      expect(answer).toMatchObject({
        status: 200,
        body: {
          appUserView: { appUser: { appUserType: 'APP_USER_TYPE_SERVICE_ACCOUNT' }, appPath: '$.expanded[0]' },
          expanded: [{ id: wiki }],
        },
      });
      expect(Number(await revision())).toBe(Number(before) + 1);
      expect(await events('guest')).toEqual([
        {
          data: {
            appId: wiki,
            revision: Number(before) + 1,
            fields: ['appUserType'],
            from: { appUserType: 'APP_USER_TYPE_USER', byHand: false },
            to: { appUserType: 'APP_USER_TYPE_SERVICE_ACCOUNT', byHand: true },
          },
        },
      ]);
      const kept = await server.test.admin(
        `SELECT before->>'accountType' AS type FROM account_changes WHERE tenant_id = $1 AND revision = $2`,
        [server.id, Number(before) + 1],
      );
      expect(kept).toEqual([{ type: 'USER' }]);
      await upload('Wiki', wikiFile);
      expect(await account('guest')).toMatchObject({ appUserType: 'APP_USER_TYPE_SERVICE_ACCOUNT' });
      expect((await update('guest', { appUser: {}, updateMask: 'app_user_type' })).status).toBe(200);
      expect(await account('guest')).toMatchObject({ appUserType: 'APP_USER_TYPE_SERVICE_ACCOUNT' });
      await upload('Wiki', wikiFile);
      expect(await account('guest')).toMatchObject({ appUserType: 'APP_USER_TYPE_USER' });
    });

    it('stay as they are where nothing new is said: an echo is no change', async () => {
      const before = await revision();
      const echo = await account('bob');
      expect((await update('bob', { appUser: echo })).body.appUserView.appUser).toEqual(echo);
      expect((await update('bob', {})).status).toBe(200);
      expect((await update('bob', { appUser: { displayName: 'X', status: { status: 'STATUS_ENABLED' } } })).status).toBe(200);
      expect(await account('bob')).toEqual(echo);
      expect(await events('bob')).toEqual([]);
      expect(await revision()).toBe(before);
    });

    it('hold a type that was named though it was theirs already', async () => {
      await update('bob', { appUser: { appUserType: 'APP_USER_TYPE_USER' }, updateMask: '*' });
      expect(await events('bob')).toHaveLength(1);
      await upload('Wiki', wikiFile.replace('bob,BOB@Y.example,USER', 'bob,BOB@Y.example,SYSTEM_ACCOUNT'));
      expect(await account('bob')).toMatchObject({ appUserType: 'APP_USER_TYPE_USER' });
    });

    it.each(['displayName', 'email', 'identityUserId', 'status.status', 'status.details', 'profile', 'nothing'])(
      'refuse %s in a mask',
      async (updateMask) => {
        const answer = await update('ann', { appUser: {}, updateMask });
        expect([answer.status, violatedFields(answer)]).toEqual([400, ['updateMask']]);
      },
    );

    it('refuse a type there is not, another app, and another tenant', async () => {
      expect((await update('ann', { appUser: { appUserType: 'APP_USER_TYPE_GHOST' } })).status).toBe(400);
      expect((await update('ann', { appUser: { appUserType: 'APP_USER_TYPE_USER' } }, mail)).status).toBe(404);
      const { id } = await account('ann');
      expect((await request(other, other.admin, 'POST', `/api/v1/apps/${wiki}/app_users/${id}`, {})).status).toBe(404);
      const reader = await server.makePerson('reader@x.example', ['READ_ONLY_ADMINISTRATOR']);
      expect((await request(server, reader, 'POST', `/api/v1/apps/${wiki}/app_users/${id}`, {})).status).toBe(403);
    });

    it('are there: a deleted one is not found', async () => {
      const { id } = await account('daemon');
      await upload('Wiki', wikiFile.replace(/^daemon.*\n/m, ''));
      expect((await admin('POST', `/api/v1/apps/${wiki}/app_users/${id}`, {})).status).toBe(404);
      expect(await namesOf({ appUserStatuses: ['STATUS_DELETED'] })).toEqual(['daemon']);
      expect(await namesOf({ appUserIds: [id] })).toEqual([]);
    });
  });
});
