/**
 * An identity provider for tests: an app with a connector for SCIM, and requests with its token.
 */
import { type Loose, request } from './api.ts';
import type { ServedTenant } from './server.ts';

/** An answer of the SCIM service; the body is undefined where there is none. */
export interface ScimAnswer {
  readonly status: number;
  readonly body: Loose;
  readonly headers: Headers;
}

/** A provider that pushes into one app. */
export interface ScimClient {
  readonly appId: string;
  readonly connectorId: string;
  readonly token: string;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ScimAnswer>;
  /** The same, and throws unless the answer has this status; 200 where none is said. */
  ok(method: string, path: string, body?: unknown, status?: number): Promise<Loose>;
  /** Makes a user and returns its id. */
  addUser(userName: string, more?: object): Promise<string>;
  addGroup(displayName: string, memberIds?: readonly string[], more?: object): Promise<string>;
}

/** The schemas that requests name. */
export const urn = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  enterprise: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
} as const;

/** A PATCH of these operations. */
export const patch = (...operations: readonly object[]): object => ({ schemas: [urn.patch], Operations: operations });

/** Sends a request to the SCIM service with a token, or with none. */
export async function sendScim(
  tenant: ServedTenant,
  token: string | undefined,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<ScimAnswer> {
  const response = await tenant.fetch(`/scim/v2${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers };
}

/** Makes an app and a token for it. */
export async function connectScim(tenant: ServedTenant, displayName: string): Promise<ScimClient> {
  const app = await request(tenant, tenant.admin, 'POST', '/api/v1/apps', { displayName });
  const appId: string = app.body.app.id;
  const made = await request(tenant, tenant.admin, 'POST', `/api/v1/apps/${appId}/scim`, {});
  const token: string = made.body.token;
  const send: ScimClient['send'] = (method, path, body, headers) => sendScim(tenant, token, method, path, body, headers);
  const ok: ScimClient['ok'] = async (method, path, body, status = 200) => {
    const answer = await send(method, path, body);
    if (answer.status !== status) {
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer.body;
  };
  return {
    appId,
    connectorId: made.body.source.id,
    token,
    send,
    ok,
    addUser: async (userName, more = {}) => (await ok('POST', '/Users', { schemas: [urn.user], userName, ...more }, 201)).id,
    addGroup: async (name, memberIds = [], more = {}) =>
      (
        await ok(
          'POST',
          '/Groups',
          { schemas: [urn.group], displayName: name, members: memberIds.map((value) => ({ value })), ...more },
          201,
        )
      ).id,
  };
}
