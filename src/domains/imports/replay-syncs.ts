/**
 * Reading syncs of grants back: what the file of one said, and how two of them differ.
 */
import { AppError } from '../../errors.ts';
import { inTransaction, type Scope } from '../../scope.ts';
import { findSourceById } from '../connectors/index.ts';
import { findImport, type ImportRow } from './store.ts';
import { countAllChanges, findIsMany } from './store-count.ts';
import { type ChangedGrant, countChanges, listChanges, listTouched, type Span } from './store-changes.ts';
import {
  type EntitlementName,
  type GrantKey,
  type GrantsOf,
  listEntitlementNames,
  listGrantsAt,
  type SyncGrantRow,
} from './store-replay.ts';
import type { KindCounts } from './types.ts';

/** The import with this id; NOT_FOUND for none. */
export async function requireImport(scope: Scope, id: string): Promise<ImportRow> {
  const found = await findImport(scope, id);
  if (found === undefined) {
    throw new AppError('NOT_FOUND', 'There is no such import.');
  }
  return found;
}

/** An import of grants that was done; FAILED_PRECONDITION for another, named by `field`. */
function requireSync(row: ImportRow, field: string): ImportRow & { readonly revision: number } {
  const { revision } = row;
  if (revision === null) {
    const what = row.kind === 'PEOPLE' ? 'is of people; only imports of grants can be read back' : 'was refused and changed nothing';
    throw new AppError('FAILED_PRECONDITION', `${field}: the import ${row.id} ${what}.`, { violations: [{ field, description: what }] });
  }
  return { ...row, revision };
}

async function grantsOf(scope: Scope, row: ImportRow): Promise<GrantsOf> {
  return { appId: row.appId, sourceNo: (await findSourceById(scope, row.connectorId))?.sourceNo ?? null };
}

/** A page of rows with the names of the entitlements they speak of. */
export interface NamedPage<Row> {
  readonly rows: readonly Row[];
  readonly names: ReadonlyMap<string, EntitlementName>;
}

async function nameEntitlements(scope: Scope, appId: string, ids: Iterable<string>): Promise<ReadonlyMap<string, EntitlementName>> {
  const rows = await listEntitlementNames(scope, appId, [...new Set(ids)]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** What the file of a sync said, from after a key on: one row more than asked for tells whether there is more. */
export async function replaySync(
  scope: Scope,
  id: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<NamedPage<SyncGrantRow>> {
  const sync = requireSync(await requireImport(scope, id), 'id');
  const rows = await listGrantsAt(scope, await grantsOf(scope, sync), sync.revision, after, limit);
  const ids = rows.flatMap((row) => [row.entitlementId, ...(row.paths ?? []).flat()]);
  return { rows, names: await nameEntitlements(scope, sync.appId, ids) };
}

/** How two syncs of an app differ. */
export interface Comparison extends NamedPage<ChangedGrant> {
  readonly fromId: string;
  /** Of all that differs; undefined on later pages. */
  readonly counts: KindCounts | undefined;
}

/**
 * How a sync differs from another of the same app (`fromId`, '' for its predecessor), in either direction. Two of one source are compared as
 * far as that source goes, two of different sources in all of the app. INVALID_ARGUMENT for a sync of another app.
 */
export async function diffSyncs(
  scope: Scope,
  id: string,
  fromId: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<Comparison> {
  const to = requireSync(await requireImport(scope, id), 'id');
  const from = await findBase(scope, to, fromId);
  const { appId, sourceNo } = await grantsOf(scope, to);
  const isOneSource = from === undefined || from.connectorId === to.connectorId;
  const span: Span = { appId, sourceNo: isOneSource ? sourceNo : null, from: from?.revision ?? 0, to: to.revision };
  const rows = await collectChanges(scope, span, { entitlementId: after?.[0] ?? '', accountId: after?.[1] ?? '' }, limit);
  const paths = rows.flatMap(({ before, after: later }) => [...(before?.paths ?? []), ...(later?.paths ?? [])].flat());
  const names = await nameEntitlements(scope, appId, [...rows.map((row) => row.entitlementId), ...paths]);
  return { rows, names, fromId: from?.id ?? '', counts: after === undefined ? await countDifferences(scope, span) : undefined };
}

async function countDifferences(scope: Scope, span: Span): Promise<KindCounts> {
  if (!(await findIsMany(scope, span))) {
    return countChanges(scope, span);
  }
  return inTransaction(scope, (inside) => countAllChanges(inside, span));
}

async function findBase(scope: Scope, to: ImportRow, fromId: string): Promise<(ImportRow & { readonly revision: number }) | undefined> {
  const id = fromId || to.previousId;
  if (id === '') {
    return undefined;
  }
  const base = await findImport(scope, id);
  if (base === undefined || base.appId !== to.appId) {
    const description = 'must be the id of another import of the same app';
    throw new AppError('INVALID_ARGUMENT', `from: ${description}`, { violations: [{ field: 'from', description }] });
  }
  return requireSync(base, 'from');
}

/** Of what the revisions touched, the next that differ: what ended and was given again says the same, and is passed over. */
async function collectChanges(scope: Scope, span: Span, after: GrantKey, limit: number): Promise<ChangedGrant[]> {
  const found: ChangedGrant[] = [];
  for (let key = after; span.from !== span.to; ) {
    const keys = await listTouched(scope, span, key, limit);
    found.push(...(await listChanges(scope, span, keys)));
    const last = keys.at(-1);
    if (last === undefined || keys.length < limit || found.length >= limit) {
      break;
    }
    key = last;
  }
  return found.slice(0, limit);
}
