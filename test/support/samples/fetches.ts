/**
 * Sample requests of the operations about fetches. Nothing is fetched here: held fetches are added as the module adds them, with rows that are a file.
 */
import { zstdCompressSync } from 'node:zlib';
import { newId } from '../../../src/wire/ids.ts';
import type { World } from '../world.ts';
import { appForSources, ownersForSources } from '../app-for-sources.ts';
import type { MakeSample } from './sample.ts';

const header = 'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at\n';

interface Place {
  readonly appId: string;
  readonly sourceId: string;
}

async function makeSource(world: World): Promise<Place> {
  const appId = await appForSources(world);
  const { body } = await world.call(world.tenant.admin, 'POST', `/api/v1/apps/${appId}/connectors/create`, {
    config: { '@type': 'type.googleapis.com/countersign.v1.FolderSettings', pattern: 'a.csv' },
    userIds: await ownersForSources(world),
  });
  return { appId, sourceId: body.connectorView.connector.id };
}

/** Adds a held fetch of a source, a new one where none is given. */
export async function makeHeldFetch(world: World, place?: Place): Promise<Place & { readonly id: string }> {
  const { appId, sourceId } = place ?? (await makeSource(world));
  const { db, now, tenantId } = world.tenant.system();
  const id = newId(now);
  const contents = JSON.stringify([{ kind: 'GRANTS', format: 'FILE', sheet: '', encoding: '', columns: [] }]);
  await db.run(
    `INSERT INTO fetches (tenant_id, id, source_id, app_id, reason, state, observed_from, contents, error, run_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, 'FORCED', 'HELD', $5, $6, 'World', $5, $5, $5)`,
    [tenantId, id, sourceId, appId, now, contents],
  );
  await db.run('INSERT INTO fetch_rows (tenant_id, fetch_id, content, piece, bytes) VALUES ($1, $2, 0, 0, $3)', [
    tenantId,
    id,
    zstdCompressSync(`${header}held,,USER,ENABLED,role,A,read,,\n`),
  ]);
  return { id, appId, sourceId };
}

const ofHeld =
  (fields: object = {}): MakeSample =>
  async (world) => {
    const { id, appId, sourceId } = await makeHeldFetch(world);
    return { path: { id, app_id: appId, connector_id: sourceId, sync_lifecycle_id: id }, fields: { ...fields } };
  };

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'ConnectorService.confirmSyncValid': ofHeld(),
  'ConnectorService.updateConnectorSchedule': async (world) => {
    const { appId, sourceId } = await makeSource(world);
    return { path: { app_id: appId, connector_id: sourceId }, fields: { cron: { cronSpec: '30 2 * * *', timezone: 'Europe/Berlin' } } };
  },
  'FetchService.get': ofHeld(),
  'FetchService.testSource': () => ({
    fields: { config: { '@type': 'type.googleapis.com/countersign.v1.FolderSettings', pattern: 'a.csv' } },
  }),
  'FetchService.list': async (world) => {
    const place = await makeSource(world);
    for (let count = 0; count < 12; count++) {
      await makeHeldFetch(world, place);
    }
    return {};
  },
  'FetchService.discard': ofHeld({ reason: 'Not needed.' }),
};
