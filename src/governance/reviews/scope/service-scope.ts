/**
 * The contract's methods about the lists of a scope and about replaying a snapshot: each calls one rule and shapes the reply.
 */
import { fromJson } from '@bufbuild/protobuf';
import {
  ReviewReplayService,
  ReviewScopeListService,
  ReviewScopeListServiceSetRequestSchema,
  type ReviewScopeListServiceSetRequest,
  ScopeExclusionKind,
  type ScopeLists as ScopeListsMessage,
} from '../../../gen/countersign/v1/review_scope_pb.js';
import type { Row } from '../../../wire/row.ts';
import { implement } from '../../../wire/service.ts';
import { replayReview } from './replay.ts';
import { readScopeLists, type ScopeLists, setScopeLists } from './scope-lists.ts';
import type { ExclusionKind, ScopeEntry } from '../../snapshots/index.ts';

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
export function shapeLists({ entries, resourceTypes }: ScopeLists): Row<ScopeListsMessage> {
  const of = (list: ScopeEntry['list']) => entries.filter((entry) => entry.list === list);
  return {
    monitorIds: of('MONITOR').map((entry) => entry.objectId),
    resources: of('RESOURCE').map((entry) => ({ appId: entry.appId, id: entry.objectId })),
    scopeRoles: of('SCOPE_ROLE').map((entry) => ({ ...entry, scopeResourceId: entry.objectId })),
    exclusions: of('EXCLUSION').map((entry) => ({ ...entry, kind: entry.kind as Exclude<ExclusionKind, ''>, id: entry.objectId })),
    changesOnly: of('CHANGES_ONLY').length > 0,
    grants: of('GRANT').map(({ appId, entitlementId, accountId }) => ({ appId, entitlementId, accountId })),
    resourceTypes: resourceTypes.map(({ appId, resourceTypeId }) => ({ appId, resourceTypeId })),
  };
}

/** The lists of a scope. */
export const scopeListService = implement(ReviewScopeListService, {
  async get(context, request) {
    return { scopeLists: shapeLists(await readScopeLists(context, request.accessReviewId)) };
  },
  async set(context, request) {
    const read = context.asRead && readEntries(fromJson(ReviewScopeListServiceSetRequestSchema, context.asRead));
    return { scopeLists: shapeLists(await setScopeLists(context, request.accessReviewId, readEntries(request), read)) };
  },
});

/** Replays. */
export const replayService = implement(ReviewReplayService, {
  async replay(context, request) {
    const replay = await replayReview(context, request.accessReviewId);
    return {
      ...replay,
      differences: replay.differences.map((one) => ({
        kind: one.isItem ? ('WITHOUT_TASK' as const) : ('WITHOUT_ITEM' as const),
        appId: one.appId,
        appEntitlementId: one.entitlementId,
        appUserId: one.accountId,
      })),
    };
  },
});
