/** Origin of a person's values, over HTTP: a file, a mapped column, an identity provider, nobody; and sources of the same name. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { connectScim, type ScimClient, urn } from '../support/scim.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const header = 'email,display_name,manager_email,department,job_title,employment_status';

describe('the sources of a person', () => {
  let server: TestServer;
  let scim: ScimClient;
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const person = async (email: string): Promise<Loose> => (await admin('POST', '/api/v1/search/users', { email })).body.list[0].user;
  const importPeople = async (query: string, text: string): Promise<Loose> => {
    const answer = await sendFile(server, server.admin, `/api/v1/imports/people${query}`, text);
    expect([answer.status, answer.body.message]).toEqual([200, undefined]);
    return answer.body.import;
  };
  const tellers = (sources: Loose[]): string[] => sources.map((one) => `${one.appUserProfileAttributeKey}=${one.value}`);

  beforeAll(async () => {
    server = await useTestServer();
    scim = await connectScim(server, 'Directory');
  });
  afterAll(() => server.stop());

  it('are the columns of a file, in the words of the file', async () => {
    const { connectorId } = await importPeople(
      '?map=department%3DAbteilung',
      `${header.replace('department', 'Abteilung')},employee_id\nboss@x.example,Boss,,,,ACTIVE,\nann@x.example,Ann,boss@x.example,Legal,Clerk,ACTIVE,E-1\n`,
    );
    await admin('PUT', `/api/v1/connectors/${connectorId}/column_mapping`, { columnMapping: { department: 'Abteilung' } });
    const ann = await person('ann@x.example');
    expect(ann.emailSources).toEqual([
      {
        appId: '',
        appUserId: '',
        appUserProfileAttributeKey: 'email',
        userAttributeMappingId: connectorId,
        value: 'ann@x.example',
        priority: 0,
      },
    ]);
    expect(tellers(ann.managerSources)).toEqual(['manager_email=boss@x.example']);
    expect(tellers(ann.employeeIdSources)).toEqual(['employee_id=E-1']);
    expect(tellers(ann.employmentStatusSources)).toEqual(['employment_status=ACTIVE']);
    expect(tellers(ann.jobTitleSources)).toEqual(['job_title=Clerk']);
    expect(tellers(ann.departmentSources)).toEqual(['Abteilung=Legal']);
    expect(ann.usernameSources).toEqual([]);
    expect((await person(server.admin.email)).emailSources).toEqual([]);
  });

  it('are what a provider pushes, and a file that tells the same later comes first', async () => {
    const bossId = await scim.addUser('chief@x.example');
    await scim.addUser('dan@x.example', {
      title: 'Cook',
      [urn.enterprise]: { department: 'Kitchen', manager: { value: bossId } },
    });
    const dan = await person('dan@x.example');
    const [account] = (await admin('POST', '/api/v1/search/app_users', { userIds: [dan.id] })).body.list;
    expect(dan.jobTitleSources).toEqual([
      {
        appId: scim.appId,
        appUserId: account.appUser.id,
        appUserProfileAttributeKey: 'title',
        userAttributeMappingId: scim.connectorId,
        value: 'Cook',
        priority: 0,
      },
    ]);
    expect(tellers(dan.managerSources)).toEqual([`${urn.enterprise}:manager=${bossId}`]);
    expect(tellers(dan.directoryStatusSources)).toEqual(['active=true']);
    expect(dan.employmentStatusSources).toEqual([]);
    const { connectorId } = await importPeople('?source=later', `${header}\ndan@x.example,Dan,,Garden,Cook,ACTIVE\n`);
    const told = await person('dan@x.example');
    expect(told.jobTitleSources.map((one: Loose) => [one.userAttributeMappingId, one.priority])).toEqual([
      [connectorId, 0],
      [scim.connectorId, 1],
    ]);
    expect(tellers(told.departmentSources)).toEqual(['department=Garden']);
  });

  it('are distinguished where their names are the same', async () => {
    await scim.addUser('pushed@x.example');
    await admin('POST', `/api/v1/apps/${scim.appId}/connectors/${scim.connectorId}`, { connector: { displayName: 'staff' } });
    await scim.addUser('pushed.later@x.example');
    const done = await importPeople('?source=staff', `${header}\nfiled@x.example,Filed,,,,ACTIVE\n`);
    expect(done.removed).toBe('0');
    await importPeople('?source=staff&allow_removals=true', `${header}\nother@x.example,Other,,,,ACTIVE\n`);
    expect((await person('filed@x.example')).status).toBe('DISABLED');
    expect((await person('pushed@x.example')).status).toBe('ENABLED');
    expect((await person('pushed.later@x.example')).status).toBe('ENABLED');
  });
});
