/**
 * Sample requests of the operations about connectors and sources.
 */
import type { World } from '../world.ts';
import { appForSources, ownersForSources } from '../app-for-sources.ts';
import type { MakeSample } from './sample.ts';

async function makeConnector(world: World, appId: string): Promise<string> {
  const { body } = await world.call(world.tenant.admin, 'POST', `/api/v1/apps/${appId}/connectors`, {
    displayName: `Source ${Math.random()}`,
    userIds: await ownersForSources(world),
  });
  return body.connectorView.connector.id;
}

const ofConnector =
  (fields: object = {}): MakeSample =>
  async (world) => {
    const appId = await appForSources(world);
    const id = await makeConnector(world, appId);
    return { path: { app_id: appId, connector_app_id: appId, id, connector_id: id }, fields: { ...fields } };
  };

const twelve = async (world: World): Promise<string> => {
  const appId = await appForSources(world, 12);
  for (let count = 0; count < 12; count++) {
    await makeConnector(world, appId);
  }
  return appId;
};

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'ConnectorService.create': (world) => ({ path: { app_id: world.otherAppId }, fields: { description: 'Made' } }),
  'ConnectorService.createDelegated': (world) => ({
    path: { app_id: world.otherAppId },
    fields: { displayName: `Made ${Math.random()}` },
  }),
  'ConnectorService.delete': ofConnector(),
  'ConnectorService.forceSync': ofConnector(),
  'ConnectorService.get': ofConnector(),
  'ConnectorService.list': async (world) => ({ path: { app_id: await twelve(world) } }),
  'ConnectorService.pauseSync': ofConnector(),
  'ConnectorService.resumeSync': ofConnector(),
  'ConnectorService.update': ofConnector({ connector: { description: 'Changed' } }),
  'ConnectorService.updateDelegated': ofConnector({ connector: { description: 'Changed' } }),
  'SourceService.get': ofConnector(),
  'SourceService.list': async (world) => {
    await twelve(world);
    return {};
  },
  'SourceService.setSecret': async (world) => ({
    path: { id: await makeConnector(world, await appForSources(world)), name: 'password' },
    fields: { fromFile: 'wiki-password' },
  }),
  'SourceService.deleteSecret': async (world) => {
    const path = { id: await makeConnector(world, await appForSources(world)), name: 'password' };
    await world.call(world.tenant.admin, 'PUT', `/api/v1/sources/${path.id}/secrets/password`, { fromFile: 'wiki-password' });
    return { path };
  },
  'SourceService.setStaleAfter': ofConnector({ staleAfter: '86400s' }),
  'SourceService.setRemovalShare': ofConnector({ removalShare: 30 }),
};
