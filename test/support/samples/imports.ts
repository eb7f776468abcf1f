/**
 * Sample requests of the operations about imports that read syncs back; the others are in base.ts.
 */
import type { MakeSample } from './sample.ts';

const sync: MakeSample = (world) => ({ path: { id: world.syncId } });

/** By the name of the operation. */
export const importsSamples: Readonly<Record<string, MakeSample>> = {
  'ImportService.listGrants': sync,
  'ImportService.diff': sync,
};
