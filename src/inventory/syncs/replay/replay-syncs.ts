/**
 * Reading syncs of grants back: what the file of one said, and how two of them differ.
 */
import { AppError, orThrow } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { findSyncSourceById } from '../../sources/index.ts';
import {
  type ChangedGrant,
  type EntitlementName,
  type GrantKey,
  type GrantsOf,
  type Span,
  type SyncGrantRow,
  type SyncRow,
  countChanges,
  findSync,
  listChanges,
  listEntitlementNames,
  listGrantsAt,
  listTouched,
} from '../record/index.ts';
import { countAllChanges, hasManyChanges } from '../merge/index.ts';
import type { KindCounts } from '../values/index.ts';

/** The import with this id; NOT_FOUND for none. */
export async function requireSync(context: Context, id: string): Promise<SyncRow> {
  return orThrow(await findSync(context, id), 'NOT_FOUND', 'There is no such sync.');
}

/** An import of grants that was done; FAILED_PRECONDITION for another, named by `field`. */
function requireGrantsSync(row: SyncRow, field: string): SyncRow & { readonly revision: number } {
  const { revision } = row;
  if (revision === null) {
    const what = row.kind === 'PEOPLE' ? 'is a sync of people; only syncs of grants can be read back' : 'was refused and changed nothing';
    throw new AppError('FAILED_PRECONDITION', `${field}: the import ${row.id} ${what}.`, { violations: [{ field, description: what }] });
  }
  return { ...row, revision };
}

async function grantsOf(context: Context, row: SyncRow): Promise<GrantsOf> {
  return { appId: row.appId, sourceNo: (await findSyncSourceById(context, row.sourceId))?.sourceNo ?? null };
}

/** A page of rows with the names of the entitlements they speak of. */
export interface NamedPage<Row> {
  readonly rows: readonly Row[];
  readonly names: ReadonlyMap<string, EntitlementName>;
}

async function nameEntitlements(context: Context, appId: string, ids: Iterable<string>): Promise<ReadonlyMap<string, EntitlementName>> {
  const rows = await listEntitlementNames(context, appId, [...new Set(ids)]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Reads a sync's file, from after a key on: one row more than asked for shows whether there is more. */
export async function replaySync(
  context: Context,
  id: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<NamedPage<SyncGrantRow>> {
  const sync = requireGrantsSync(await requireSync(context, id), 'id');
  const rows = await listGrantsAt(context, await grantsOf(context, sync), sync.revision, after, limit);
  const ids = rows.flatMap((row) => [row.entitlementId, ...(row.paths ?? []).flat()]);
  return { rows, names: await nameEntitlements(context, sync.appId, ids) };
}

/** Two syncs of an app, compared. */
export interface Comparison extends NamedPage<ChangedGrant> {
  readonly fromId: string;
  /** Of all that differs; undefined on later pages. */
  readonly counts: KindCounts | undefined;
}

/**
 * Compares a sync with another of the same app (`fromId`, '' for its predecessor), in either direction. Two of one source are compared as far as
 * that source goes, two of different sources in all of the app. INVALID_ARGUMENT for a sync of another app.
 */
export async function diffSyncs(
  context: Context,
  id: string,
  fromId: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<Comparison> {
  const to = requireGrantsSync(await requireSync(context, id), 'id');
  const from = await findBase(context, to, fromId);
  const { appId, sourceNo } = await grantsOf(context, to);
  const isOneSource = from === undefined || from.sourceId === to.sourceId;
  const span: Span = { appId, sourceNo: isOneSource ? sourceNo : null, from: from?.revision ?? 0, to: to.revision };
  const rows = await collectChanges(context, span, { entitlementId: after?.[0] ?? '', accountId: after?.[1] ?? '' }, limit);
  const paths = rows.flatMap(({ before, after: later }) => [...(before?.paths ?? []), ...(later?.paths ?? [])].flat());
  const names = await nameEntitlements(context, appId, [...rows.map((row) => row.entitlementId), ...paths]);
  return { rows, names, fromId: from?.id ?? '', counts: after === undefined ? await countDifferences(context, span) : undefined };
}

async function countDifferences(context: Context, span: Span): Promise<KindCounts> {
  if (!(await hasManyChanges(context, span))) {
    return countChanges(context, span);
  }
  return inTransaction(context, (inside) => countAllChanges(inside, span));
}

async function findBase(context: Context, to: SyncRow, fromId: string): Promise<(SyncRow & { readonly revision: number }) | undefined> {
  const id = fromId || to.previousId;
  if (id === '') {
    return undefined;
  }
  const base = await findSync(context, id);
  if (base === undefined || base.appId !== to.appId) {
    const description = 'must be the id of another sync of the same app';
    throw new AppError('INVALID_ARGUMENT', `from: ${description}`, { violations: [{ field: 'from', description }] });
  }
  return requireGrantsSync(base, 'from');
}

/** Of what the revisions touched, the next that differ: what ended and was given again says the same, and is passed over. */
async function collectChanges(context: Context, span: Span, after: GrantKey, limit: number): Promise<ChangedGrant[]> {
  const found: ChangedGrant[] = [];
  for (let key = after; span.from !== span.to; ) {
    const keys = await listTouched(context, span, key, limit);
    found.push(...(await listChanges(context, span, keys)));
    const last = keys.at(-1);
    if (last === undefined || keys.length < limit || found.length >= limit) {
      break;
    }
    key = last;
  }
  return found.slice(0, limit);
}
