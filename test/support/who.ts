/** What identity providers and files say of people, and what the server makes of it: for the tests of who somebody is. */
import { expect } from 'vitest';
import { type Answer, type Loose, request } from './api.ts';
import { connectScim, patch, type ScimClient, urn } from './scim.ts';
import { type TestServer, useTestServer } from './server.ts';
import { sendFile } from './world.ts';

/** What a provider says of a user; a member that is undefined is not sent. */
export interface Said {
  readonly externalId?: string | undefined;
  readonly active?: unknown;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly employeeId?: string | undefined;
}

/** The extension in which a user says whether it is disputed whose it is. */
export const countersignState = 'urn:countersign:params:scim:schemas:extension:1.0:User';

/** A user as a provider sends it. */
export function userOf(userName: string, { externalId, active, name, email, employeeId }: Said): object {
  return {
    schemas: [urn.user],
    userName,
    ...(externalId === undefined ? {} : { externalId }),
    ...(active === undefined ? {} : { active }),
    ...(name === undefined ? {} : { displayName: name }),
    ...(email === undefined ? {} : { emails: [{ value: email, primary: true }] }),
    ...(employeeId === undefined ? {} : { [urn.enterprise]: { employeeNumber: employeeId } }),
  };
}

/** The same as operations of a PATCH. */
export function patchOf({ externalId, active, name, email, employeeId }: Said): object {
  const replace = (path: string, value: unknown): object[] => (value === undefined ? [] : [{ op: 'replace', path, value }]);
  return patch(
    ...replace('externalId', externalId),
    ...replace('displayName', name),
    ...replace('emails', email === undefined ? undefined : [{ value: email, primary: true }]),
    ...replace(`${urn.enterprise}:employeeNumber`, employeeId),
    ...replace('active', active),
  );
}

/** Whose a record is, as it stands. */
export interface Whose {
  readonly userId: string | null;
  readonly verdict: string;
  readonly reason: string;
  readonly state: string;
  readonly candidateIds: readonly string[];
}

/** One tenant with two identity providers, and names that no other test has. */
export class Who {
  private count = 0;
  readonly server: TestServer;
  readonly scim: ScimClient;
  readonly other: ScimClient;

  private constructor(server: TestServer, scim: ScimClient, other: ScimClient) {
    this.server = server;
    this.scim = scim;
    this.other = other;
  }

  static async open(): Promise<Who> {
    const server = await useTestServer();
    return new Who(server, await connectScim(server, 'Provider'), await connectScim(server, 'Other provider'));
  }

  readonly fresh = (name: string): string => `${name}${++this.count}`;
  readonly admin = (method: string, path: string, body?: unknown): Promise<Answer> =>
    request(this.server, this.server.admin, method, path, body);
  readonly ok = async (method: string, path: string, body?: unknown): Promise<Loose> => {
    const answer = await this.admin(method, path, body);
    expect([path, answer.status, answer.status === 200 ? undefined : answer.body]).toEqual([path, 200, undefined]);
    return answer.body;
  };
  readonly user = async (id: string): Promise<Loose> => (await this.ok('GET', `/api/v1/users/${id}`)).userView.user;
  readonly byAddress = async (email: string): Promise<Loose> => (await this.ok('POST', '/api/v1/search/users', { email })).list[0]?.user;
  readonly byName = async (name: string): Promise<Loose> =>
    (await this.server.test.admin('SELECT id, status FROM users WHERE tenant_id = $1 AND display_name = $2', [this.server.id, name]))[0];
  readonly disputed = async (): Promise<Loose[]> => (await this.ok('GET', '/api/v1/identity/disputed?page_size=100')).list;
  readonly answer = (id: string, verdict: string, userId = ''): Promise<Loose> =>
    this.ok('POST', `/api/v1/identity/records/${id}/action/answer`, { verdict: `PERSON_RECORD_VERDICT_${verdict}`, userId });
  /** The disputed record of this name, to be answered. */
  readonly asked = async (name: string): Promise<Loose | undefined> => (await this.disputed()).find((one) => one.displayName === name);

  readonly file = async (
    source: string,
    rows: readonly string[],
    header = 'email,display_name,employee_id,employment_status',
  ): Promise<Loose> => {
    const path = `/api/v1/imports/people?source=${source}&allow_removals=true`;
    const { status, body } = await sendFile(this.server, this.server.admin, path, `${[header, ...rows].join('\n')}\n`);
    expect([status, body.message]).toEqual([200, undefined]);
    return body.import;
  };
  readonly grants = async (app: string, text: string): Promise<Loose> => {
    const { status, body } = await sendFile(this.server, this.server.admin, `/api/v1/imports/grants?app=${app}&allow_removals=true`, text);
    expect([status, body.message]).toEqual([200, undefined]);
    return body.import;
  };
  /** The accounts of an app with their owners' ids. */
  readonly owners = async (appId: string): Promise<Record<string, string | null>> => {
    const rows = await this.server.test.admin(
      `SELECT external_id AS name, user_id AS owner FROM accounts WHERE tenant_id = $1 AND app_id = $2 AND status <> 'DELETED'`,
      [this.server.id, appId],
    );
    return Object.fromEntries(rows.map(({ name, owner }) => [name, owner]));
  };
  /** Whose the record of an anchor is; undefined for none. */
  readonly whose = async (sourceId: string, anchor: string): Promise<Whose | undefined> => {
    const rows = await this.server.test.admin(
      `SELECT user_id AS "userId", verdict, reason, state, candidate_ids AS "candidateIds" FROM person_records
       WHERE tenant_id = $1 AND source_id = $2 AND anchor = $3`,
      [this.server.id, sourceId, anchor],
    );
    return rows[0] as Whose | undefined;
  };
  readonly makeSuper = (id: string): Promise<Loose> =>
    this.ok('PUT', `/api/v1/users/${id}/roles`, { roleIds: ['000000000SuperAdministrator'] });

  /** Pushes a new user to the first provider, and returns it. */
  readonly push = (userName: string, said: Said): Promise<Loose> => this.scim.ok('POST', '/Users', userOf(userName, said), 201);
  readonly put = (id: string, userName: string, said: Said): Promise<Loose> => this.scim.ok('PUT', `/Users/${id}`, userOf(userName, said));
  /** Facts of somebody by which others would notice that they were taken for somebody else. */
  readonly facts = async (id: string): Promise<Loose> => {
    const { status, displayName, email, employeeIds, username, roleIds } = await this.user(id);
    return { status, displayName, email, employeeIds, username, roleIds };
  };
}
