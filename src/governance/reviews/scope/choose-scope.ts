/**
 * Reading what a review chooses, and checking it against the inventory. Everything that can be wrong with a choice is refused here, with all
 * reasons at once.
 */
import type { JsonValue } from '@bufbuild/protobuf';
import type { FieldViolation } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { type ListCounts, readScope } from './check-scope.ts';
import { listPrepareViolations } from './check-record.ts';
import { type ReviewRow, reviewSlot } from '../record/index.ts';
import {
  type ChosenScope,
  countSetup,
  describeChosen,
  type IdKind,
  listDoublePolicies,
  listMonitors,
  listRolesElsewhere,
  listScopeEntries,
  listUnknownIds,
  listUnknownObjects,
  type ObjectRef,
  refuseSnapshot,
  type ScopeEntry,
  type ScopeWords,
} from '../../snapshots/index.ts';

/** The path of the field of the review that holds this id; the review itself where it was chosen elsewhere. */
function placeOf(value: JsonValue | undefined, id: string, path = 'accessReview'): string {
  if (typeof value !== 'object' || value === null) {
    return value === id ? path : 'accessReview';
  }
  for (const [key, inner] of Object.entries(value)) {
    const place = placeOf(inner, id, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`);
    if (place !== 'accessReview') {
      return place;
    }
  }
  return 'accessReview';
}

function countEntries(entries: readonly ScopeEntry[]): Omit<ListCounts, 'entitlements' | 'resourceTypes'> {
  const count = (list: ScopeEntry['list'], ...kinds: ScopeEntry['kind'][]) =>
    entries.filter((entry) => entry.list === list && kinds.includes(entry.kind)).length;
  return {
    resources: count('RESOURCE', ''),
    scopeRoles: count('SCOPE_ROLE', ''),
    monitors: count('MONITOR', ''),
    excludedResources: count('EXCLUSION', 'ENTITLEMENT', 'RESOURCE'),
    excludedResourceTypes: count('EXCLUSION', 'RESOURCE_TYPE'),
  };
}

const nouns: Readonly<Record<IdKind, string>> = {
  app: 'app',
  person: 'person',
  riskLevel: 'risk level',
  framework: 'compliance framework',
  accessProfile: 'access profile',
};

/** The ids that a scope names by themselves. */
function listIds({ what, filters, entries }: ChosenScope): [IdKind, readonly string[]][] {
  const { people, legacy, profiles } = filters;
  return [
    ['app', [...what.wholeAppIds, ...(what.appAccess ? what.namedAppIds : [])]],
    ['person', [people, legacy.people].flatMap((filter) => [...(filter.userIds ?? []), ...(filter.managerIds ?? [])])],
    ['person', entries.filter((entry) => entry.kind === 'USER').map((entry) => entry.objectId)],
    ['riskLevel', what.criteria?.riskLevelIds ?? []],
    ['framework', what.criteria?.frameworkIds ?? []],
    ['accessProfile', [...(profiles.included ?? []), ...(typeof profiles.excluded === 'object' ? profiles.excluded : [])]],
  ];
}

/** Lists objects of apps that a scope names. */
function listObjects({ what, filters, entries }: ChosenScope): ObjectRef[] {
  return [
    ...what.entitlements.map((one) => ({ kind: 'entitlement' as const, appId: one.appId, id: one.entitlementId })),
    ...(filters.people.notHolding ?? []).map((ref) => ({ kind: 'entitlement' as const, ...ref })),
    ...entries.flatMap(({ list, kind, appId, objectId, entitlementId, accountId, roleResourceId }): ObjectRef[] => {
      if (list === 'GRANT') {
        // Its account may be a resource that passes it on.
        return [{ kind: 'entitlement', appId, id: entitlementId }];
      }
      switch (list === 'EXCLUSION' ? kind : list) {
        case 'ENTITLEMENT':
          return [{ kind: 'entitlement', appId, id: entitlementId }];
        case 'RESOURCE':
          return [{ kind: 'resource', appId, id: objectId }];
        case 'RESOURCE_TYPE':
          return [{ kind: 'resource type', appId, id: objectId }];
        case 'ACCOUNT':
          return [{ kind: 'account', appId, id: accountId }];
        case 'GRANT':
          return [
            { kind: 'account', appId, id: accountId },
            { kind: 'entitlement', appId, id: entitlementId },
          ];
        case 'SCOPE_ROLE':
          return [
            { kind: 'resource', appId, id: objectId },
            { kind: 'resource', appId, id: roleResourceId },
          ];
        default:
          return [];
      }
    }),
  ];
}

/** Returns the checked scope; FAILED_PRECONDITION with everything that keeps a snapshot from being taken of it. */
export async function checkScope(context: Context, review: ReviewRow): Promise<ChosenScope> {
  const entries = await listScopeEntries(context, review.id);
  const read = readScope(review.document, { ...(await countSetup(context, review.id)), ...countEntries(entries) });
  const scope: ChosenScope = { ...read.scope, entries };
  const found = [...listPrepareViolations(review.document), ...read.violations];
  const templateId = review.document.accessReviewTemplateId ?? '';
  if (templateId !== '' && !(await reviewSlot.get().hasTemplate(context, templateId))) {
    found.push({ field: 'accessReview.accessReviewTemplateId', description: `there is no template ${templateId}` });
  }
  for (const [kind, ids] of listIds(scope)) {
    for (const id of await listUnknownIds(context, kind, [...new Set(ids)])) {
      found.push({ field: placeOf(review.document, id), description: `there is no ${nouns[kind]} ${id}` });
    }
  }
  for (const one of await listUnknownObjects(context, review.id, listObjects(scope))) {
    found.push({ field: placeOf(review.document, one.id), description: `app ${one.appId} has no ${one.kind} ${one.id}` });
  }
  for (const one of await listDoublePolicies(context, review.id, scope.what)) {
    const names = one.policyIds.join(' and ');
    found.push({
      field: placeOf(review.document, one.entitlementId),
      description: `entitlement ${one.entitlementId} of app ${one.appId} has two policies, ${names}: name one`,
    });
  }
  for (const { index, scopeResourceId, roleResourceId } of scope.what.byRoles ? await listRolesElsewhere(context, review.id) : []) {
    const description = `resource ${roleResourceId} is not resource ${scopeResourceId} or below it: name a role at or below its scope`;
    found.push({ field: `scopeRoles[${index}]`, description });
  }
  refuseSnapshot([...found, ...(await listIdleMonitors(context, scope))]);
  return scope;
}

/** Reads a review's scope, without looking anything up: only for one whose scope was checked and has not changed since. */
export async function readChosen(context: Context, review: ReviewRow): Promise<ChosenScope> {
  const entries = await listScopeEntries(context, review.id);
  return { ...readScope(review.document, { ...(await countSetup(context, review.id)), ...countEntries(entries) }).scope, entries };
}

/** A review's scope in words. */
export async function describeScope(context: Context, review: ReviewRow): Promise<ScopeWords> {
  return describeChosen(context, review.id, await readChosen(context, review), review.sourcesFrozenAt);
}

/** Lists chosen monitors that find nothing: those that are not there, and those that are disabled. */
async function listIdleMonitors(context: Context, scope: ChosenScope): Promise<FieldViolation[]> {
  if (scope.what.scopeType !== 'BY_ACCESS_CONFLICTS' || scope.what.allMonitors) {
    return [];
  }
  const enabled = new Set(await listMonitors(context, scope));
  return scope.entries
    .filter(({ list }) => list === 'MONITOR')
    .flatMap(({ objectId }, index) =>
      enabled.has(objectId)
        ? []
        : [{ field: `monitorIds[${index}]`, description: `no monitor ${objectId} is enabled: enable it, or remove it from the list` }],
    );
}
