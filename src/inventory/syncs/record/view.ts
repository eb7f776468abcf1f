/** Imports as clients see them, and what syncs said. */
import type { ImportFindings, ImportReading } from '../../../gen/countersign/v1/reading_pb.js';
import type { ImportCounts, Import, SyncDifference, SyncEntitlement, SyncGrant } from '../../../gen/countersign/v1/imports_pb.js';
import type { Row } from '../../../wire/row.ts';
import type { SyncRow } from './store.ts';
import type { ChangedGrant } from './store-changes.ts';
import type { EntitlementName, GrantKey, PastGrant } from './store-replay.ts';
import type { Findings, HowRead } from '../values/index.ts';

/** Shapes how a file was read as countersign.v1.ImportReading. */
export function shapeReading(reading: HowRead): Row<ImportReading> {
  return { ...reading, skippedCount: reading.skippedCount ?? reading.skipped.length };
}

function shapeFindings({ isNewApp, similarApps, unowned, ambiguous, byFormerAddress, repeated }: Findings): Row<ImportFindings> {
  return {
    isNewApp,
    similarApps,
    unownedAccounts: unowned,
    ambiguousAccounts: ambiguous,
    formerAddressAccounts: byFormerAddress ?? 0,
    repeatedRows: repeated,
  };
}

/** An import as countersign.v1.Import. */
export function shapeImport(row: SyncRow): Row<Import> {
  return {
    ...row,
    connectorId: row.sourceId,
    fileFormat: row.fileFormat || 'UNSPECIFIED',
    counts: row.counts as Row<ImportCounts>,
    createdByUserId: row.createdById,
    reading: row.howRead && shapeReading(row.howRead),
    findings: row.findings && shapeFindings(row.findings),
  };
}

/** Entitlements of an app by their ids. */
export type EntitlementNames = ReadonlyMap<string, EntitlementName>;

function shapeName(names: EntitlementNames, id: string): Row<SyncEntitlement> {
  const { resourceType = '', resource = '', entitlement = '' } = names.get(id) ?? {};
  return { appEntitlementId: id, resourceType, resource, entitlement };
}

/** A grant of a sync as countersign.v1.SyncGrant. */
export function shapeSyncGrant(names: EntitlementNames, key: GrantKey, grant: PastGrant): Row<SyncGrant> {
  const { account } = grant;
  return {
    ...account,
    appUserId: key.accountId,
    account: account.externalId,
    accountStatus: account.status,
    identityUserId: account.userId,
    entitlement: shapeName(names, key.entitlementId),
    grantedAt: grant.grantedAt,
    lastUsedAt: grant.lastUsedAt,
    expiresAt: grant.deprovisionAt,
    paths: (grant.paths ?? []).map((path) => ({ steps: path.map((id) => shapeName(names, id)) })),
  };
}

/** A grant that differs as countersign.v1.SyncDifference. */
export function shapeDifference(names: EntitlementNames, row: ChangedGrant): Row<SyncDifference> {
  const { before, after } = row;
  return {
    change: before === null ? 'ADDED' : after === null ? 'REMOVED' : 'CHANGED',
    before: before && shapeSyncGrant(names, row, before),
    after: after && shapeSyncGrant(names, row, after),
  };
}
