/**
 * How an import looks outside, and what syncs said.
 */
import {
  type ImportFindingsJson,
  ImportFindingsSchema,
  type ImportReadingJson,
  ImportReadingSchema,
  type ImportRowNoteJson,
  ImportRowNoteSchema,
  ImportValueCountSchema,
} from '../../gen/countersign/v1/reading_pb.js';
import {
  ImportCountsSchema,
  type ImportCountsJson,
  type ImportJson,
  ImportKindCountsSchema,
  type ImportKindCountsJson,
  ImportSchema,
  SyncDifferenceSchema,
  type SyncDifferenceJson,
  SyncEntitlementSchema,
  type SyncEntitlementJson,
  SyncGrantSchema,
  type SyncGrantJson,
  SyncPathSchema,
} from '../../gen/countersign/v1/imports_pb.js';
import { shape, timestamp } from '../../wire/reply.ts';
import type { SyncRow } from './store.ts';
import type { ChangedGrant } from './store-changes.ts';
import type { EntitlementName, GrantKey, PastGrant } from './store-replay.ts';
import type { Findings, HowRead, KindCounts, RowNote } from './types.ts';

function shapeNotes(notes: readonly RowNote[]): ImportRowNoteJson[] {
  return notes.map(({ line, column, reason }) => shape(ImportRowNoteSchema, { line: String(line), column, reason }));
}

/** Counts as countersign.v1.ImportKindCounts. */
export function shapeCounts({ added, changed, removed, total }: KindCounts): ImportKindCountsJson {
  return shape(ImportKindCountsSchema, { added: String(added), changed: String(changed), removed: String(removed), total: String(total) });
}

/** How a file was read as countersign.v1.ImportReading. */
export function shapeReading(reading: HowRead): ImportReadingJson {
  return shape(ImportReadingSchema, {
    ...reading,
    headerLine: String(reading.headerLine),
    mapping: { ...reading.mapping },
    guessed: [...reading.guessed],
    constants: { ...reading.constants },
    values: reading.values.map((one) => shape(ImportValueCountSchema, { ...one, count: String(one.count) })),
    skipped: shapeNotes(reading.skipped),
  });
}

function shapeFindings({ isNewApp, similarApps, unowned, ambiguous, repeated }: Findings): ImportFindingsJson {
  return shape(ImportFindingsSchema, {
    isNewApp,
    similarApps: [...similarApps],
    unownedAccounts: String(unowned),
    ambiguousAccounts: String(ambiguous),
    repeatedRows: String(repeated),
  });
}

/** An import as countersign.v1.Import. */
export function shapeImport(row: SyncRow): ImportJson {
  const counts = Object.fromEntries(Object.entries(row.counts).map(([kind, one]) => [kind, shapeCounts(one)])) as ImportCountsJson;
  return shape(ImportSchema, {
    id: row.id,
    kind: row.kind === 'PEOPLE' ? 'IMPORT_KIND_PEOPLE' : 'IMPORT_KIND_GRANTS',
    state: row.state === 'DONE' ? 'IMPORT_STATE_DONE' : 'IMPORT_STATE_FAILED',
    source: row.source,
    connectorId: row.sourceId,
    appId: row.appId,
    previousId: row.previousId,
    fileSha256: row.fileSha256,
    fileFormat: `IMPORT_FILE_FORMAT_${row.fileFormat || 'UNSPECIFIED'}`,
    revision: String(row.revision ?? 0),
    rows: String(row.rows),
    added: String(row.added),
    changed: String(row.changed),
    removed: String(row.removed),
    unchanged: String(row.unchanged),
    rejected: String(row.rejected),
    counts: shape(ImportCountsSchema, counts),
    warningCount: String(row.warningCount),
    warnings: shapeNotes(row.warnings),
    error: row.error,
    rowErrors: shapeNotes(row.rowErrors),
    createdByUserId: row.createdById,
    startedAt: timestamp(row.startedAt),
    endedAt: timestamp(row.endedAt),
    createdAt: timestamp(row.createdAt),
    ...(row.howRead && { reading: shapeReading(row.howRead) }),
    ...(row.findings && { findings: shapeFindings(row.findings) }),
  });
}

/** Entitlements of an app by their ids. */
export type EntitlementNames = ReadonlyMap<string, EntitlementName>;

function shapeName(names: EntitlementNames, id: string): SyncEntitlementJson {
  const { resourceType = '', resource = '', entitlement = '' } = names.get(id) ?? {};
  return shape(SyncEntitlementSchema, { appEntitlementId: id, resourceType, resource, entitlement });
}

/** A grant of a sync as countersign.v1.SyncGrant. */
export function shapeSyncGrant(names: EntitlementNames, key: GrantKey, grant: PastGrant): SyncGrantJson {
  const { account } = grant;
  return shape(SyncGrantSchema, {
    appUserId: key.accountId,
    account: account.externalId,
    email: account.email,
    accountType: account.accountType,
    accountStatus: account.status,
    identityUserId: account.userId ?? '',
    entitlement: shapeName(names, key.entitlementId),
    grantedAt: timestamp(grant.grantedAt),
    lastUsedAt: timestamp(grant.lastUsedAt),
    expiresAt: timestamp(grant.deprovisionAt),
    paths: (grant.paths ?? []).map((path) => shape(SyncPathSchema, { steps: path.map((id) => shapeName(names, id)) })),
  });
}

/** A grant that differs as countersign.v1.SyncDifference. */
export function shapeDifference(names: EntitlementNames, row: ChangedGrant): SyncDifferenceJson {
  const { before, after } = row;
  return shape(SyncDifferenceSchema, {
    change: before === null ? 'SYNC_CHANGE_ADDED' : after === null ? 'SYNC_CHANGE_REMOVED' : 'SYNC_CHANGE_CHANGED',
    ...(before && { before: shapeSyncGrant(names, row, before) }),
    ...(after && { after: shapeSyncGrant(names, row, after) }),
  });
}
