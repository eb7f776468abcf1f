/** Sample requests of the operations about connectors that speak to us. */
import { greetHost } from '../../../src/inventory/connector-tasks/index.ts';
import type { World } from '../world.ts';
import { appForSources, ownersForSources } from '../app-for-sources.ts';
import { makeHeldFetch } from './fetches.ts';
import type { MakeSample } from './sample.ts';

const facts = {
  hostname: 'host',
  platform: 'linux/x86_64',
  package: 'baton-demo',
  packageVersion: '1',
  capabilities: [],
  typeCapabilities: {},
};

async function makeBaton(world: World): Promise<{ readonly appId: string; readonly id: string }> {
  const appId = await appForSources(world);
  const { body } = await world.call(world.tenant.admin, 'POST', `/api/v1/apps/${appId}/connectors/create`, {
    config: { '@type': 'type.googleapis.com/countersign.v1.BatonSettings', program: 'baton-demo' },
    userIds: await ownersForSources(world),
  });
  return { appId, id: body.connectorView.connector.id };
}

const ofBaton: MakeSample = async (world) => {
  const { appId, id } = await makeBaton(world);
  return { path: { app_id: appId, connector_id: id } };
};

const ofCredential: MakeSample = async (world) => {
  const { appId, id: connectorId } = await makeBaton(world);
  const path = `/api/v1/apps/${appId}/connectors/${connectorId}/credentials`;
  const { body } = await world.call(world.tenant.admin, 'POST', path, {});
  return { path: { app_id: appId, connector_id: connectorId, source_id: connectorId, id: body.credential.id } };
};

/** A source whose connector said that it can remove from roles. */
const ofRemoving =
  (fields: object = {}): MakeSample =>
  async (world) => {
    const { appId, id } = await makeBaton(world);
    await greetHost(
      world.tenant.system(),
      { id, appId, pausedAt: null },
      { ...facts, hostId: 'host-1', typeCapabilities: { role: ['CAPABILITY_PROVISION'] } },
    );
    return { path: { id }, fields: { ...fields } };
  };

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'ConnectorHostService.list': async (world) => {
    const { appId, id } = await makeBaton(world);
    const source = { id, appId, pausedAt: null };
    for (let count = 10; count < 22; count++) {
      await greetHost(world.tenant.system(), source, { ...facts, hostId: `host-${count}` });
    }
    return { path: { source_id: id } };
  },
  'ConnectorHostService.listCredentials': ofCredential,
  'ConnectorHostService.getLog': async (world) => {
    const { sourceId, id } = await makeHeldFetch(world);
    return { path: { source_id: sourceId, fetch_id: id } };
  },
  'ConnectorService.getCredentials': ofCredential,
  'ConnectorService.revokeCredential': ofCredential,
  'ConnectorService.rotateCredential': ofBaton,
  'ConnectorService.rotateCredentialOfBody': async (world) => {
    const { appId, id } = await makeBaton(world);
    return { path: {}, fields: { appId, connectorId: id } };
  },
  'SourceRemovalService.get': ofRemoving(),
  'SourceRemovalService.set': ofRemoving({ enabled: true, hourly: 5 }),
  'SourceRemovalService.release': ofRemoving(),
};
