/**
 * Setting the lists behind the markers of a scope and what is left out of it. They are replaced whole; ids are stored as sent and checked when
 * the review is previewed or prepared.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import type { FieldViolation } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { compareDocuments } from '../../../lib/compare-documents.ts';
import { refuseStale } from '../../../foundation/audit/index.ts';
import { listWiderLists, refuseWider } from './narrow-scope.ts';
import { maxListLength, refuseViolations, requireReview } from '../record/index.ts';
import { replaceSetup } from './setup.ts';
import { listNames, listScopeEntries, listSetupResourceTypes, type ScopeEntry, updateScopeEntries } from '../../snapshots/index.ts';

/** True if a scope asks only about what is new or changed since the predecessor. */
export function asksChangesOnly(entries: readonly ScopeEntry[]): boolean {
  return entries.some(({ list }) => list === 'CHANGES_ONLY');
}

/** Longest reason of an exclusion, in UTF-16 code units. */
const maxReason = 1_000;

/** The members that say what is left out, by kind; all others must be empty. */
const membersOf: Readonly<Record<Exclude<ScopeEntry['kind'], ''>, readonly (keyof typeof wireNames)[]>> = {
  ENTITLEMENT: ['appId', 'entitlementId'],
  RESOURCE: ['appId', 'objectId'],
  RESOURCE_TYPE: ['appId', 'objectId'],
  USER: ['objectId'],
  ACCOUNT: ['appId', 'accountId'],
  GRANT: ['appId', 'entitlementId', 'accountId'],
};

const wireNames = { appId: 'appId', objectId: 'id', entitlementId: 'entitlementId', accountId: 'accountId' } as const;

function checkExclusion(entry: ScopeEntry, path: string): FieldViolation[] {
  if (entry.kind === '') {
    return [{ field: `${path}.kind`, description: `must be one of ${Object.keys(membersOf).join(', ')}` }];
  }
  const wanted = membersOf[entry.kind];
  const found = (Object.keys(wireNames) as (keyof typeof wireNames)[]).flatMap((member): FieldViolation[] => {
    const isWanted = wanted.includes(member);
    if ((entry[member] !== '') === isWanted) {
      return [];
    }
    const description = isWanted ? `must not be empty for ${entry.kind}` : `must be empty for ${entry.kind}`;
    return [{ field: `${path}.${wireNames[member]}`, description }];
  });
  if (entry.reason.trim() === '' || entry.reason.length > maxReason) {
    found.push({ field: `${path}.reason`, description: `must say why, in 1 to ${maxReason} characters` });
  }
  return found;
}

function checkEntry(entry: ScopeEntry, path: string): FieldViolation[] {
  const empty = (members: readonly (readonly [string, string])[]): FieldViolation[] =>
    members.filter(([, value]) => value === '').map(([name]) => ({ field: `${path}${name}`, description: 'must not be empty' }));
  switch (entry.list) {
    case 'MONITOR':
      return empty([['', entry.objectId]]);
    case 'RESOURCE':
      return empty([
        ['.appId', entry.appId],
        ['.id', entry.objectId],
      ]);
    case 'SCOPE_ROLE':
      return empty([
        ['.appId', entry.appId],
        ['.scopeResourceId', entry.objectId],
        ['.roleResourceId', entry.roleResourceId],
      ]);
    case 'EXCLUSION':
      return checkExclusion(entry, path);
    case 'GRANT':
      return empty([
        ['.appId', entry.appId],
        ['.entitlementId', entry.entitlementId],
        ['.accountId', entry.accountId],
      ]);
    case 'CHANGES_ONLY':
      return [];
  }
}

/** Everything that is wrong with the form of entries; ids are not looked up. */
export function listEntryViolations(entries: readonly ScopeEntry[]): FieldViolation[] {
  return Object.entries(listNames).flatMap(([list, name]) => {
    const own = entries.filter((entry) => entry.list === list);
    if (own.length > maxListLength) {
      return [{ field: name, description: `must have at most ${maxListLength} entries, not ${own.length}` }];
    }
    return own.flatMap((entry, index) => checkEntry(entry, `${name}[${index}]`));
  });
}

/** The lists beside a scope: its entries, and the resource types, which have an operation of their own. */
export interface ScopeLists {
  readonly entries: readonly ScopeEntry[];
  readonly resourceTypes: readonly { readonly appId: string; readonly resourceTypeId: string }[];
}

async function listAll(context: Context, reviewId: string): Promise<ScopeLists> {
  return { entries: await listScopeEntries(context, reviewId), resourceTypes: await listSetupResourceTypes(context, reviewId) };
}

/** The lists of a review, if the caller may read it. */
export async function readScopeLists(context: Context, reviewId: string): Promise<ScopeLists> {
  await requireReview(context, reviewId, 'read');
  return listAll(context, reviewId);
}

/** The entries by the names of their lists. */
function byList(entries: readonly ScopeEntry[]): JsonObject {
  return Object.fromEntries(
    Object.entries(listNames).map(([list, name]) => [name, entries.filter((entry) => entry.list === list).map((entry) => ({ ...entry }))]),
  );
}

/** Refuses a change of lists that are no longer what the client read. */
async function refuseStaleLists(
  context: Context,
  targetId: string,
  lists: {
    readonly before: readonly ScopeEntry[];
    readonly after: readonly ScopeEntry[];
    readonly read: readonly ScopeEntry[] | undefined;
  },
): Promise<void> {
  const before = byList(lists.before);
  const { fields } = compareDocuments(before, byList(lists.after));
  const read = lists.read && byList(lists.read);
  await refuseStale(context, { targetId, kinds: ['review.scope_changed'], read, before, fields, isSet: true });
}

/** Makes these the lists of a draft and returns them; the same as before is allowed in any state. */
export function setScopeLists(
  context: Context,
  reviewId: string,
  entries: readonly ScopeEntry[],
  read?: readonly ScopeEntry[],
): Promise<ScopeLists> {
  return inTransaction(context, async (inside) => {
    await replaceSetup(
      inside,
      reviewId,
      undefined,
      async (locked) => {
        refuseViolations(listEntryViolations(entries));
        const before = await listScopeEntries(locked, reviewId);
        await refuseStaleLists(locked, reviewId, { before, after: entries, read });
        refuseWider(locked.actor, listWiderLists(before, entries));
        return updateScopeEntries(locked, reviewId, entries);
      },
      'scopeLists',
    );
    return listAll(inside, reviewId);
  });
}
