/**
 * How sources look outside: plain objects of the contract's JSON types.
 */
import {
  type ConnectorJson,
  ConnectorSchema,
  ConnectorStatusSchema,
  type ConnectorViewJson,
  ConnectorViewSchema,
  type SyncStatusJson,
} from '../../gen/c1/api/app/v1/connector_pb.js';
import { type SourceJson, SourceSchema } from '../../gen/countersign/v1/connectors_pb.js';
import { joinPaths } from '../../wire/expand.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import type { PathOf } from '../catalog/index.ts';
import { contentAsSent } from './content.ts';
import type { SourceRow } from './store.ts';

function statusOf(row: SourceRow): SyncStatusJson {
  if (row.pausedAt !== null) {
    return 'SYNC_STATUS_DISABLED';
  }
  if (row.syncState === null) {
    return 'SYNC_STATUS_UNSPECIFIED';
  }
  return row.syncState === 'DONE' ? 'SYNC_STATUS_DONE' : 'SYNC_STATUS_ERROR';
}

/** A source as c1.api.app.v1.Connector. */
function shapeConnector(row: SourceRow): ConnectorJson {
  return shape(ConnectorSchema, {
    ...(contentAsSent(row) as ConnectorJson),
    id: row.id,
    appId: row.appId,
    canResumeSync: row.pausedAt !== null && row.deletedAt === null,
    syncDisabledAt: timestamp(row.pausedAt),
    syncDisabledCategory: row.pausedAt === null ? '' : 'paused',
    syncDisabledReason: row.pausedAt === null ? '' : 'Paused by an administrator. Resume it to import files again.',
    status: shape(ConnectorStatusSchema, {
      status: statusOf(row),
      startedAt: timestamp(row.syncStartedAt),
      completedAt: timestamp(row.syncEndedAt),
      updatedAt: timestamp(row.syncEndedAt ?? row.updatedAt),
      lastError: row.syncState === 'FAILED' ? (row.syncError ?? '') : '',
    }),
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
    configUpdatedAt: timestamp(row.configUpdatedAt),
    deletedAt: timestamp(row.deletedAt),
  });
}

/** A source with the places of its app and of its people. */
export function shapeConnectorView(row: SourceRow, pathOf: PathOf): ConnectorViewJson {
  return shape(ConnectorViewSchema, {
    connector: shapeConnector(row),
    appPath: pathOf('app_id', row.appId),
    usersPath: joinPaths(row.userIds.map((id) => pathOf('user_ids', id))),
    capabilitiesPath: '',
  });
}

/** A source as countersign.v1.Source. */
export function shapeSource(row: SourceRow): SourceJson {
  return shape(SourceSchema, {
    id: row.id,
    appId: row.appId,
    kind: row.kind === 'FILE' ? 'SOURCE_KIND_FILE' : 'SOURCE_KIND_SCIM',
    displayName: row.displayName,
    removalShare: row.removalShare,
    matchOrder: [...row.matchOrder],
    columnMapping: { ...row.columnMapping },
    pausedAt: timestamp(row.pausedAt),
    lastImportId: row.lastSyncId,
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
  });
}
