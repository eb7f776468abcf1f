/** Sample requests of the operations about the coverage of a period. */
import { sendFile, type World } from '../world.ts';
import type { MakeSample } from './sample.ts';

const file = `account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at
c@covered.example,,USER,ENABLED,role,Covered,member,,
`;

/** Twelve apps that hold access, so that their list has more than one page. */
export async function fill(world: World): Promise<void> {
  for (let count = 0; count < 12; count++) {
    await sendFile(world.tenant, world.tenant.admin, `/api/v1/imports/grants?app=Covered-${count}`, file);
  }
}

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'CoverageService.get': (world) => ({ fields: { app_id: world.appId, valid_days: 90 } }),
  'CoverageService.listApps': () => ({}),
  'CoverageService.listGaps': (world) => ({ path: { app_id: world.appId } }),
  'CoverageService.listRequirements': () => ({}),
};
