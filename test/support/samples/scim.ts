/**
 * Sample requests of the operations that let identity providers in.
 */
import type { MakeSample } from './sample.ts';

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'ScimService.createToken': (world) => ({ path: { app_id: world.otherAppId } }),
  'ScimService.revokeToken': async (world) => {
    await world.call(world.tenant.admin, 'POST', `/api/v1/apps/${world.otherAppId}/scim`, {});
    return { path: { app_id: world.otherAppId } };
  },
};
