/** `countersign review scope-lists`: what the scope of a review says in lists beside its document, and setting them from a file. */
import type { Command } from 'commander';
import {
  ReviewScopeListService,
  type ReviewScopeListServiceSetRequestJson,
  type ScopeExclusionJson,
  type ScopeListsJson,
} from '../gen/countersign/v1/review_scope_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { type CommandIo, formatTable, writeJson, writeLines } from './io.ts';
import { readDocument } from './read-document.ts';

/** Adds the command to the group `review`. */
export function addScopeCommand(group: Command, io: CommandIo): void {
  withConnection(group.command('scope-lists').description('show the lists beside the scope of a review, or set them from a file'))
    .argument('<review>', 'id of the review')
    .option(
      '--file <file>',
      'JSON with monitorIds, resources, scopeRoles, exclusions, changesOnly and grants, which replace those it has; - for standard input',
    )
    .action(async (id: string, options: ConnectOptions & { file?: string }) => {
      const client = connect(io, options);
      const { method } = ReviewScopeListService;
      const sent = options.file === undefined ? undefined : await readDocument(io, options.file, 'the lists of a scope');
      const reply =
        sent === undefined
          ? await client.call(method.get, { accessReviewId: id })
          : await client.call(method.set, { ...(sent as ReviewScopeListServiceSetRequestJson), accessReviewId: id });
      if (options.json === true) {
        writeJson(io.stdout, reply.scopeLists ?? {});
      } else {
        writeLines(io.stdout, formatTable(['LIST', 'APP', 'WHAT', 'REASON'], rowsOf(reply.scopeLists ?? {})));
      }
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
