/** Sample requests of the operations about the sample company. */
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

async function makeApp(world: World): Promise<string> {
  const { body } = await world.call(world.tenant.admin, 'POST', '/api/v1/apps', { displayName: `Sample ${Math.random()}` });
  return body.app.id;
}

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'SampleService.get': () => ({}),
  'SampleService.mark': async (world) => ({ fields: { appIds: [await makeApp(world)] } }),
  'SampleService.remove': async (world) => {
    await world.call(world.tenant.admin, 'POST', '/api/v1/samples', { appIds: [await makeApp(world)] });
    return {};
  },
};
