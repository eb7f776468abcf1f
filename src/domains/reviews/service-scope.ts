/**
 * The contract's methods about the lists of a scope and about replaying a snapshot: each calls one rule and shapes the reply.
 */
import {
  ReviewReplayDifferenceSchema,
  ReviewReplayService,
  ReviewReplayServiceReplayResponseSchema,
  ReviewScopeListService,
  type ReviewScopeListServiceSetRequest,
  ScopeExclusionKind,
  ScopeExclusionSchema,
  ScopeGrantSchema,
  type ScopeListsJson,
  ScopeListsSchema,
  ScopeResourceSchema,
  ScopeRolePairSchema,
} from '../../gen/countersign/v1/review_scope_pb.js';
import { ResourceTypeIdRefSchema } from '../../gen/c1/api/accessreview/v1/scope_pb.js';
import { shape } from '../../wire/reply.ts';
import { implement } from '../../wire/service.ts';
import { replayReview } from './replay.ts';
import { readScopeLists, type ScopeLists, setScopeLists } from './scope-lists.ts';
import type { ExclusionKind, ScopeEntry } from './store-scope-lists.ts';

const noEntry = { kind: '', appId: '', objectId: '', entitlementId: '', accountId: '', roleResourceId: '', reason: '' } as const;

/** The entries that a request sends, list by list. */
export function readEntries(
  request: Pick<ReviewScopeListServiceSetRequest, 'monitorIds' | 'resources' | 'scopeRoles' | 'exclusions' | 'changesOnly' | 'grants'>,
): ScopeEntry[] {
  return [
    ...(request.changesOnly ? [{ ...noEntry, list: 'CHANGES_ONLY' as const }] : []),
    ...request.monitorIds.map((objectId) => ({ ...noEntry, list: 'MONITOR' as const, objectId })),
    ...request.resources.map(({ appId, id }) => ({ ...noEntry, list: 'RESOURCE' as const, appId, objectId: id })),
    ...request.scopeRoles.map(({ appId, scopeResourceId, roleResourceId }) => ({
      ...noEntry,
      list: 'SCOPE_ROLE' as const,
      appId,
      objectId: scopeResourceId,
      roleResourceId,
    })),
    ...request.exclusions.map(({ kind, appId, id, entitlementId, accountId, reason }) => ({
      ...noEntry,
      list: 'EXCLUSION' as const,
      kind: (kind === ScopeExclusionKind.UNSPECIFIED ? '' : (ScopeExclusionKind[kind] ?? '')) as ExclusionKind,
      appId,
      objectId: id,
      entitlementId,
      accountId,
      reason,
    })),
    ...request.grants.map(({ appId, entitlementId, accountId }) => ({
      ...noEntry,
      list: 'GRANT' as const,
      appId,
      entitlementId,
      accountId,
    })),
  ];
}

/** The lists as they are answered, with the resource types that are set elsewhere. */
export function shapeLists({ entries, resourceTypes }: ScopeLists): ScopeListsJson {
  const of = (list: ScopeEntry['list']) => entries.filter((entry) => entry.list === list);
  return shape(ScopeListsSchema, {
    monitorIds: of('MONITOR').map((entry) => entry.objectId),
    resources: of('RESOURCE').map((entry) => shape(ScopeResourceSchema, { appId: entry.appId, id: entry.objectId })),
    scopeRoles: of('SCOPE_ROLE').map((entry) =>
      shape(ScopeRolePairSchema, { appId: entry.appId, scopeResourceId: entry.objectId, roleResourceId: entry.roleResourceId }),
    ),
    exclusions: of('EXCLUSION').map((entry) =>
      shape(ScopeExclusionSchema, {
        kind: `SCOPE_EXCLUSION_KIND_${entry.kind as Exclude<ExclusionKind, ''>}`,
        appId: entry.appId,
        id: entry.objectId,
        entitlementId: entry.entitlementId,
        accountId: entry.accountId,
        reason: entry.reason,
      }),
    ),
    changesOnly: of('CHANGES_ONLY').length > 0,
    grants: of('GRANT').map(({ appId, entitlementId, accountId }) => shape(ScopeGrantSchema, { appId, entitlementId, accountId })),
    resourceTypes: resourceTypes.map(({ appId, resourceTypeId }) => shape(ResourceTypeIdRefSchema, { appId, resourceTypeId })),
  });
}

/** The lists of a scope. */
export const scopeListService = implement(ReviewScopeListService, {
  async get(context, request) {
    return { scopeLists: shapeLists(await readScopeLists(context, request.accessReviewId)) };
  },
  async set(context, request) {
    return { scopeLists: shapeLists(await setScopeLists(context, request.accessReviewId, readEntries(request))) };
  },
});

/** Replays. */
export const replayService = implement(ReviewReplayService, {
  async replay(context, request) {
    const replay = await replayReview(context, request.accessReviewId);
    return shape(ReviewReplayServiceReplayResponseSchema, {
      ...replay,
      items: String(replay.items),
      differenceCount: String(replay.differenceCount),
      takenAsRecorded: [...replay.takenAsRecorded],
      differences: replay.differences.map((one) =>
        shape(ReviewReplayDifferenceSchema, {
          kind: one.isItem ? 'REVIEW_REPLAY_DIFFERENCE_KIND_WITHOUT_TASK' : 'REVIEW_REPLAY_DIFFERENCE_KIND_WITHOUT_ITEM',
          appId: one.appId,
          appEntitlementId: one.entitlementId,
          appUserId: one.accountId,
        }),
      ),
    });
  },
});
