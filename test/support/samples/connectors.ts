/**
 * Sample requests of the operations about connectors and sources.
 */
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

async function makeConnector(world: World): Promise<string> {
  const { body } = await world.call(world.tenant.admin, 'POST', `/api/v1/apps/${world.otherAppId}/connectors`, {
    displayName: `Source ${Math.random()}`,
  });
  return body.connectorView.connector.id;
}

const ofConnector =
  (fields: object = {}): MakeSample =>
  async (world) => {
    const id = await makeConnector(world);
    return { path: { app_id: world.otherAppId, connector_app_id: world.otherAppId, id, connector_id: id }, fields: { ...fields } };
  };

const twelve = async (world: World): Promise<void> => {
  for (let count = 0; count < 12; count++) {
    await makeConnector(world);
  }
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
  'ConnectorService.list': async (world) => {
    await twelve(world);
    return { path: { app_id: world.otherAppId } };
  },
  'ConnectorService.pauseSync': ofConnector(),
  'ConnectorService.resumeSync': ofConnector(),
  'ConnectorService.update': ofConnector({ connector: { description: 'Changed' } }),
  'ConnectorService.updateDelegated': ofConnector({ connector: { description: 'Changed' } }),
  'SourceService.get': ofConnector(),
  'SourceService.list': async (world) => {
    await twelve(world);
    return {};
  },
  'SourceService.setRemovalShare': ofConnector({ removalShare: 30 }),
};
