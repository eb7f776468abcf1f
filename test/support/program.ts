/** Service principals for tests over HTTP: programs with every role, made by somebody. */
import { createClient } from '../../src/client/index.ts';
import { requestGood } from './api.ts';
import type { ServedTenant, TestPerson } from './server.ts';

/** Makes a service principal with the role of a Super Administrator, and a credential of it, as this person. */
export async function makeProgram(server: ServedTenant, maker: TestPerson): Promise<TestPerson> {
  const make = (method: string, path: string, body: object) => requestGood(server, maker, method, path, body);
  const path = '/api/v1/service_principals';
  const { id } = (await make('POST', path, { displayName: 'A program' })).servicePrincipal;
  await make('PUT', `/api/v1/users/${id}/roles`, { roleIds: ['000000000SuperAdministrator'] });
  const { credential: made, clientSecret } = await make('POST', `${path}/${id}/credentials`, { displayName: 'Key' });
  const credential = { clientId: made.clientId, clientSecret };
  return { id, email: '', credential, client: createClient({ url: server.url, credential }) };
}
