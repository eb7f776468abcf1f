/**
 * Sample requests of the operations about imports that read syncs back; the others are in base.ts.
 */
import { readVector } from '../c1z.ts';
import { type World, worldGrants } from '../world.ts';
import type { MakeSample } from './sample.ts';

const sync: MakeSample = (world) => ({ path: { id: world.syncId } });

/** The source of the sync. */
async function findSource(world: World): Promise<string> {
  const { body } = await world.call(world.tenant.admin, 'GET', `/api/v1/imports/${world.syncId}`);
  return body.import.connectorId;
}

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'ImportService.importC1z': () => ({ fields: { app: 'Baton' }, file: readVector('demo-sdk-0.2.50') }),
  'ImportService.listGrants': sync,
  'ImportService.diff': sync,
  'ColumnMappingService.inspect': () => ({ fields: { kind: 'grants' }, file: worldGrants }),
  'ColumnMappingService.get': async (world) => ({ path: { connector_id: await findSource(world) } }),
  'ColumnMappingService.set': async (world) => ({
    path: { connector_id: await findSource(world) },
    fields: { columnMapping: { account: 'Login' } },
  }),
};
