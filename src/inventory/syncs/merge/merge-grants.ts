/**
 * Merging a file of grants with what an app has: staged in temporary tables, held against the database set by set, and written as far as it
 * differs. Of a file that is known for the most part, only the groups of rows that differ take this way, with all that the app has of their
 * accounts.
 */
import { newId } from '../../../wire/ids.ts';
import { checkProfiles } from './check-profiles.ts';
import type { Extent, GroupedFile, Place } from './find-extent.ts';
import { findFindings } from './find-findings.ts';
import { findTrip } from './find-trip.ts';
import { findMixedAttributes, findMixedGrants } from './mixed-grants.ts';
import { type CountedNotes, type KindCounts, type NoteList, RefusedFile, createNoteList, refuseRows } from '../values/index.ts';
import type { ReadFile } from '../rows/index.ts';
import { type Guard, type SyncRow, guardRemovals, recordSync, updateContent } from '../record/index.ts';
import { groupNumber, spoilGroups } from '../columns/index.ts';
import { type AccountDifference, findAccountDifference, findManyNames, findUnknownOwners, stageAccountNumbers } from './store-accounts.ts';
import { type DifferenceOf, findDifference, hasOtherSources, type GrantDifference, stagePairs } from './store-difference.ts';
import { type EntitlementCounts, stageEntitlementIds, stageEntitlementNumbers, stageParents } from './store-entitlements.ts';
import { setJoins } from './store-grants.ts';
import { stageLinks } from './store-links.ts';
import { stagePaths } from './store-paths.ts';
import { countDelivered, type Delivered, listUnsettled, setSmallStatistics, stageScope } from './store-scope.ts';
import { findContradictions, stageGrantsFile } from './store-staging.ts';
import { hasToldNames } from './store-told.ts';
import { stageZeros } from './store-findings.ts';
import { writeDifference } from './write-difference.ts';

/** With more accounts than this to be looked at again, all are. */
const maxUnsettled = 20_000;

/** Merges as much of the file as the extent says, and returns the record. INVALID_ARGUMENT for wrong rows, FAILED_PRECONDITION where too many grants would end. */
export async function mergeGrants(
  place: Place,
  read: GroupedFile,
  extent: Exclude<Extent, { readonly kind: 'NOTHING' }>,
  guard: Guard,
): Promise<SyncRow> {
  const { timed, app, source } = place;
  const { context } = timed;
  const { file, observed } = read;
  const { isComplete } = observed.record;
  const differing = extent.kind === 'SOME' ? extent.differing : undefined;
  const before = differing && (await countDelivered(context, app.id, source.sourceNo, false));
  if (differing !== undefined) {
    await setSmallStatistics(context);
  }

  // Rows of entitlements by themselves stand in one group, which is looked at whenever anything is.
  const isLooked = differing && ((group: number) => differing.has(group) || group === groupNumber(''));
  const { text, errors } = file.rows(isLooked);
  await stageGrantsFile(context, text, file.columns);
  if (isLooked !== undefined) {
    await stageScope(context, app.id, (account) => isLooked(groupNumber(account)));
  }
  const isTold = await hasToldNames(context);
  const traits = await stageAccountNumbers(context, app.id, source, file, isTold);
  refuse(file, errors, traits.hasContradictions ? await findContradictions(context) : undefined);
  refuse(file, errors, traits.hasMixedProfiles ? await findMixedGrants(context, file.attributes) : undefined);
  refuse(file, errors, file.hasProfiles ? await checkProfiles(context, 'import_accounts') : undefined);
  const warnings = createNoteList();
  warnings.addMany(observed.warnings);
  warnings.addMany({
    count: file.severalDomains === undefined ? 0 : 1,
    notes: file.severalDomains === undefined ? [] : [file.severalDomains],
  });
  warnings.addMany(file.warnings);
  warnings.addMany(await findUnknownOwners(context));
  warnings.addMany(traits.hasManyProfiles ? await findMixedAttributes(context, file.attributes) : { count: 0, notes: [] });
  if (traits.hasManyNames) {
    warnings.addMany(await findManyNames(context));
  }
  warnings.addMany(await stageZeros(context, file.columns.has('employee_id')));

  await stageEntitlementNumbers(context, file.columns, isTold);
  refuse(file, errors, await stageParents(context, file.columns.has('parent_resource')));
  const hasOthers = await hasOtherSources(context, app.id, source.sourceNo);
  const entitlements = await stageEntitlementIds(
    context,
    { appId: app.id, appAccessId: app.appAccessId, sourceNo: source.sourceNo, isTold, isAlone: !hasOthers },
    file.columns,
  );
  refuse(file, errors, traits.hasPaths ? await stagePaths(context, app.id) : undefined);

  const tellsLinks = file.columns.has('linked_from');
  refuse(file, errors, tellsLinks ? await stageLinks(context, { appId: app.id, sourceNo: source.sourceNo, isComplete }) : undefined);

  if (differing !== undefined) {
    await setJoins(context);
  }
  const accounts = await findAccountDifference(context, app.id, source, { isScoped: differing !== undefined, isComplete });
  const of: DifferenceOf = {
    appId: app.id,
    appAccessId: app.appAccessId,
    sourceNo: source.sourceNo,
    hasOthers,
    isScoped: differing !== undefined,
    isComplete,
    hasPaths: traits.hasPaths,
    tellsEnds: file.columns.has('expires_at'),
    tellsLinks,
    hasChangedAccounts: accounts.changed > 0,
  };
  const grants = await findDifference(context, of, await stagePairs(context, of));
  const ofApp = `the app ${JSON.stringify(app.displayName)}`;
  const told = of.hasOthers ? `${ofApp} that come from the source ${JSON.stringify(source.displayName)}` : ofApp;
  const total = before?.grants ?? grants.open;
  guardRemovals(await findTrip(context, source, { of, accounts, grants, total, place: told }), guard, file);

  const id = newId(context.now);
  const revision = await writeDifference(context, { ...of, syncId: id }, accounts, grants);
  // Of a file that may lack something, what it says is not what the source has: the next one is compared as a whole.
  if (isComplete) {
    await keepContent(place, read, id);
  }
  const counts = countKinds(accounts, entitlements, grants, differing && (await countDelivered(context, app.id, source.sourceNo, true)));
  const { count, first } = warnings.list();
  return recordSync(timed, source, {
    id,
    kind: 'GRANTS',
    source: app.displayName,
    appId: app.id,
    fileSha256: file.sha256,
    fileFormat: file.format,
    readAs: file.readAs,
    revision,
    rows: file.rowCount,
    added: grants.added,
    changed: grants.changed,
    removed: grants.removed,
    unchanged: counts.grants.total - grants.added - grants.changed,
    warningCount: count,
    warnings: first,
    counts,
    peopleDigest: extent.peopleDigest,
    howRead: file.howRead,
    findings: await findFindings(place, file.partCount - counts.grants.total),
    parts: file.partCount,
    elsewhere: grants.elsewhere,
    ...observed.record,
  });
}

/** Keeps what the file says, so that the next one is only looked at as far as it differs; and again where this one left something open. */
async function keepContent({ timed, source }: Place, { file, groups, digestKey }: GroupedFile, syncId: string): Promise<void> {
  const { context } = timed;
  const digests = groups.digests(file.rowCount);
  const unsettled = await listUnsettled(context, maxUnsettled + 1);
  spoilGroups(digests, unsettled.length > maxUnsettled ? 'all' : unsettled.map(groupNumber));
  await updateContent(context, source.id, { syncId, reading: file.reading, digestKey, digests });
}

/** Counts what the sync did to each kind, and what the file names: where only a part was compared, that is what the app has now. */
function countKinds(
  { added, changed, removed, total }: AccountDifference,
  catalog: EntitlementCounts,
  grants: GrantDifference,
  now: Delivered | undefined,
): Readonly<Record<keyof Delivered, KindCounts>> {
  const found = {
    accounts: { added, changed, removed, total },
    ...catalog,
    grants: { added: grants.added, changed: grants.changed, removed: grants.removed, total: grants.pairs },
  };
  if (now === undefined) {
    return found;
  }
  const { accounts, resourceTypes, resources, entitlements } = found;
  return {
    accounts: { ...accounts, total: now.accounts },
    resourceTypes: { ...resourceTypes, total: now.resourceTypes },
    resources: { ...resources, total: now.resources },
    entitlements: { ...entitlements, total: now.entitlements },
    grants: { ...found.grants, total: now.grants },
  };
}

/** Refuses the file where it has row errors, those just found among them. */
function refuse(file: ReadFile, errors: NoteList, found: CountedNotes | undefined): void {
  const all = createNoteList();
  all.addMany({ count: errors.list().count, notes: errors.list().first });
  if (found !== undefined) {
    all.addMany(found);
  }
  const notes = all.list();
  if (notes.count > 0) {
    throw new RefusedFile(refuseRows(notes), file, notes);
  }
}
