/** Sample requests of the operations about sessions, sign-in links, and the credentials of everybody. */
import { request } from '../api.ts';
import { signIn } from '../sign-in.ts';
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

/** Requests with an access token belong to no session. */
export const refused: readonly string[] = ['SessionService.get', 'SessionService.getDraftKey'];

const provider = { displayName: 'Sample Sign-on', okta: { domain: 'sample.okta.com', oidcClientId: 'client', oidcClientSecret: 'secret' } };

async function makeProvider(world: World): Promise<{ path: { id: string } }> {
  const { body } = await world.call(world.tenant.admin, 'POST', '/api/v1/auth-configs', provider);
  return { path: { id: body.authConfig.id } };
}

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'SessionService.get': () => ({}),
  'SessionService.getDraftKey': () => ({}),
  'SessionService.list': async (world) => {
    for (let count = 0; count < 12; count++) {
      await signIn(world.tenant, world.tenant.admin.id);
    }
    return {};
  },
  'SessionService.delete': async (world, caller) => {
    // What another sample disabled or made a program has no session.
    await signIn(world.tenant, caller.id).catch(() => undefined);
    const { body } = await request(world.tenant, caller, 'GET', '/api/v1/my/sessions');
    return { path: { id: body.list?.[0]?.id ?? 'absent' } };
  },
  'SessionService.endOthers': () => ({}),
  'UserSessionService.search': async (world) => {
    for (let count = 0; count < 12; count++) {
      await signIn(world.tenant, world.basic.id);
    }
    return { fields: { users: [{ id: world.basic.id }] } };
  },
  'UserSessionService.delete': async (world) => {
    await signIn(world.tenant, world.basic.id);
    const { body } = await request(world.tenant, world.tenant.admin, 'POST', '/api/v1/search/sessions', {});
    return { path: { id: body.list?.[0]?.session?.id ?? 'absent' } };
  },
  'UserSessionService.endAll': (world) => ({ path: { user_id: world.basic.id } }),
  'CredentialService.search': async (world) => {
    for (let count = 0; count < 12; count++) {
      await world.call(world.tenant.admin, 'POST', '/api/v1/iam/personal_clients', { displayName: `Found ${count}` });
    }
    return { fields: { query: 'found' } };
  },
  // What is no address is not asked.
  'ProviderTestService.test': () => ({ fields: { issuerId: 'http://login.example.com' } }),
  'TenantAuthConfigService.create': () => ({ fields: provider }),
  'TenantAuthConfigService.delete': makeProvider,
  'TenantAuthConfigService.get': makeProvider,
  'TenantAuthConfigService.list': async (world) => {
    for (let count = 0; count < 12; count++) {
      await makeProvider(world);
    }
    return {};
  },
  'TenantAuthConfigService.update': async (world) => ({
    ...(await makeProvider(world)),
    fields: { authConfig: { displayName: 'Changed' }, updateMask: 'displayName' },
  }),
  'SignInLinkService.print': (world) => ({ path: { user_id: world.basic.id } }),
};
