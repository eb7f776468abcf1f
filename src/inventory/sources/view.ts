/** Sources as clients see them: rows of the contract's messages. */
import { type Connector, ConnectorSchema, type ConnectorView, type SyncStatusJson } from '../../gen/c1/api/app/v1/connector_pb.js';
import type { Source } from '../../gen/countersign/v1/connectors_pb.js';
import { joinPaths } from '../../wire/expand.ts';
import { keptRow, type Row, unset } from '../../wire/row.ts';
import type { PathOf } from '../catalog/index.ts';
import { contentAsSent } from './content.ts';
import { sourceSlot } from './slots.ts';
import type { SourceRow } from './store.ts';

function statusOf(row: SourceRow): SyncStatusJson {
  if (row.pausedAt !== null) {
    return 'SYNC_STATUS_DISABLED';
  }
  if (row.fetchState === 'RUNNING' || row.fetchState === 'READING') {
    return 'SYNC_STATUS_RUNNING';
  }
  if (row.fetchState === 'FAILED' || row.fetchState === 'HELD') {
    return 'SYNC_STATUS_ERROR';
  }
  if (row.syncState === null) {
    return 'SYNC_STATUS_UNSPECIFIED';
  }
  return row.syncState === 'DONE' ? 'SYNC_STATUS_DONE' : 'SYNC_STATUS_ERROR';
}

/** The reason why the newest fetch, or where there is none the last import, came to nothing. */
function lastErrorOf(row: SourceRow): string | null {
  if (row.fetchState !== null) {
    return row.fetchError;
  }
  return row.syncState === 'FAILED' ? row.syncError : '';
}

/** A source as c1.api.app.v1.Connector. */
function shapeConnector(row: SourceRow): Row<Connector> {
  return {
    ...keptRow(ConnectorSchema, contentAsSent(row)),
    ...(row.schedule !== '' && { connectorSyncCronSchedule: { cronSpec: row.schedule, timezone: row.zone, ...unset('start') } }),
    id: row.id,
    appId: row.appId,
    canResumeSync: row.pausedAt !== null && row.deletedAt === null,
    syncDisabledAt: row.pausedAt,
    syncDisabledCategory: row.pausedAt === null ? '' : 'paused',
    syncDisabledReason: row.pausedAt === null ? '' : 'Paused by an administrator. Resume it to import files again.',
    status: {
      status: statusOf(row),
      startedAt: row.syncStartedAt,
      completedAt: row.syncEndedAt,
      updatedAt: row.syncEndedAt ?? row.updatedAt,
      lastError: lastErrorOf(row),
    },
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    configUpdatedAt: row.configUpdatedAt,
    ...unset('connectorApiVersion', 'downloadUrl', 'oauthAuthorizedAs'),
    deletedAt: row.deletedAt,
  };
}

/** A source with the places of its app and of its people. */
export function shapeConnectorView(row: SourceRow, pathOf: PathOf): Row<ConnectorView> {
  return {
    connector: shapeConnector(row),
    appPath: pathOf('app_id', row.appId),
    usersPath: joinPaths(row.userIds.map((id) => pathOf('user_ids', id))),
    capabilitiesPath: '',
  };
}

/** Sight of a source: the moment, the zone of schedules that say none, and whether the caller runs it. */
export interface SourceSight {
  readonly now: Date;
  readonly zone: string;
  readonly mayRun: boolean;
}

/** A source as countersign.v1.Source. */
export function shapeSource(row: SourceRow, { now, zone, mayRun }: SourceSight): Row<Source> {
  const { getStaleAfter, listNextFetches } = sourceSlot.get();
  return {
    ...row,
    mayRun,
    nextFetchesAt: row.nextAt === null ? [] : listNextFetches(row, row.nextAt, zone),
    staleAfter: `${getStaleAfter(row, now)}s`,
    isUsualStaleAfter: row.staleAfter === null,
    lastImportId: row.lastSyncId,
    cronSpec: row.schedule,
    timeZone: row.zone,
    nextFetchAt: row.nextAt,
    fetchError: row.fetchState === 'FAILED' || row.fetchState === 'HELD' ? row.fetchError : '',
  };
}
