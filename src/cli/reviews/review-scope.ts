/** `countersign review scope-lists`: what the scope of a review says in lists beside its document, and setting them from a file. */
import {
  ReviewScopeListService,
  type ReviewScopeListServiceSetRequestJson,
  type ScopeExclusionJson,
  type ScopeListsJson,
} from '../../gen/countersign/v1/review_scope_pb.js';
import type { Commands } from '../frame/commands.ts';
import { formatTable } from '../frame/io.ts';
import { readDocument } from '../frame/read-document.ts';

/** Adds the command to the group `review`. */
export function addScopeCommand(group: Commands): void {
  group.run('scope-lists', {
    description: 'show the lists beside the scope of a review, or set them from a file',
    operands: { '<review>': 'id of the review' },
    options: {
      '--file <file>':
        'JSON with monitorIds, resources, scopeRoles, exclusions, changesOnly and grants, which replace those it has; - for standard input',
    },
    act: async ({ review: accessReviewId, file }, { io, client }) => {
      const { get, set } = ReviewScopeListService.method;
      const sent = file === undefined ? undefined : await readDocument(io, file, 'the lists of a scope');
      const { scopeLists = {} } =
        sent === undefined
          ? await client.call(get, { accessReviewId })
          : await client.call(set, { ...(sent as ReviewScopeListServiceSetRequestJson), accessReviewId });
      return { json: scopeLists, text: formatTable(['LIST', 'APP', 'WHAT', 'REASON'], rowsOf(scopeLists)) };
    },
  });
}

function rowsOf(lists: ScopeListsJson): string[][] {
  const { changesOnly = false, monitorIds = [], resources = [], scopeRoles = [], exclusions = [], grants = [] } = lists;
  return [
    ...(changesOnly ? [['only', '', 'what is new or changed since the predecessor', '']] : []),
    ...monitorIds.map((id) => ['monitor', '', id, '']),
    ...resources.map(({ appId = '', id = '' }) => ['resource', appId, id, '']),
    ...scopeRoles.map(({ appId = '', scopeResourceId, roleResourceId }) => ['role', appId, `${roleResourceId} of ${scopeResourceId}`, '']),
    ...grants.map(({ appId = '', entitlementId, accountId }) => ['only', appId, `grant ${entitlementId} of ${accountId}`, '']),
    ...exclusions.map((one) => ['left out', one.appId ?? '', nameExclusion(one), one.reason ?? '']),
  ];
}

function nameExclusion({ kind, id, entitlementId, accountId }: ScopeExclusionJson): string {
  const ids = [id, entitlementId, accountId].filter((one) => one !== undefined && one !== '');
  return `${String(kind ?? '')
    .replace('SCOPE_EXCLUSION_KIND_', '')
    .toLowerCase()
    .replace('_', ' ')} ${ids.join(' of ')}`;
}
