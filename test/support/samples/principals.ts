/**
 * Sample requests of the operations about service principals and session settings.
 */
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

const principal =
  (fields: object = {}): MakeSample =>
  (world) => ({ path: { id: world.principalId, service_principal_id: world.principalId }, fields: { ...fields } });
const credential =
  (fields: object = {}): MakeSample =>
  (world) => ({ path: { id: world.principalCredentialId, service_principal_id: world.principalId }, fields: { ...fields } });

async function makePrincipal(world: World): Promise<string> {
  const { body } = await world.call(world.tenant.admin, 'POST', '/api/v1/service_principals', { displayName: 'To delete' });
  return body.servicePrincipal.id;
}

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'ServicePrincipalService.create': () => ({ fields: { displayName: 'Made' } }),
  'ServicePrincipalService.createCredential': principal({ displayName: 'Made', expires: '86400s' }),
  'ServicePrincipalService.delete': async (world) => ({ path: { id: await makePrincipal(world) } }),
  'ServicePrincipalService.get': principal(),
  'ServicePrincipalService.getCredential': credential(),
  'ServicePrincipalService.list': () => ({}),
  'ServicePrincipalService.listCredentials': principal(),
  'ServicePrincipalService.revokeCredential': async (world) => {
    const id = await makePrincipal(world);
    const made = await world.call(world.tenant.admin, 'POST', `/api/v1/service_principals/${id}/credentials`, { displayName: 'To revoke' });
    return { path: { service_principal_id: id, id: made.body.credential.id } };
  },
  'ServicePrincipalService.update': principal({ servicePrincipal: { displayName: 'Changed' } }),
  'ServicePrincipalService.updateCredential': credential({ credential: { displayName: 'Changed' } }),
  'SessionSettingsService.get': () => ({}),
  'SessionSettingsService.testSourceIP': () => ({ fields: { allowCidr: ['192.0.2.0/24'], sourceIp: '192.0.2.1' } }),
  'SessionSettingsService.update': () => ({ fields: { sessionSettings: { maxSessionLength: '3600s' } } }),
};
