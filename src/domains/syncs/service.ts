/**
 * The contract's service about imports: each method calls one rule and shapes the reply.
 */
import {
  ImportService,
  ImportServiceDiffResponseSchema,
  ImportServiceGetResponseSchema,
  ImportServiceImportGrantsResponseSchema,
  ImportServiceImportPeopleResponseSchema,
  ImportServiceListGrantsResponseSchema,
  ImportServiceListResponseSchema,
  ImportState,
  ImportViewSchema,
} from '../../gen/countersign/v1/imports_pb.js';
import { invalidField } from '../../errors.ts';
import { shape } from '../../wire/reply.ts';
import { type Call, implement } from '../../wire/service.ts';
import { importGrants } from './import-grants.ts';
import { importPeople } from './import-people.ts';
import { refuseFile } from './notes.ts';
import { readDifferenceToken, shapeRehearsal } from './view-rehearsal.ts';
import { rehearse } from './rehearse.ts';
import type { Upload } from './upload.ts';
import { diffSyncs, replaySync, requireSync } from './replay-syncs.ts';
import { mappingService } from './service-mapping.ts';
import { type SyncFilter, listSyncs } from './store.ts';
import type { GrantKey } from './store-replay.ts';
import { shapeCounts, shapeDifference, shapeImport, shapeSyncGrant } from './view.ts';

function uploadOf(call: Call): Upload {
  if (call.body === undefined) {
    throw refuseFile('the request has no body');
  }
  return { body: call.body, encoding: call.contentEncoding, left: call.left };
}

/** Somebody who means to go on with a dry run must not import instead. */
function refuseToken(token: string): void {
  if (token !== '') {
    throw invalidField('differenceToken', 'is for dry runs: set dryRun, or leave it out');
  }
}

function filterOf(request: { readonly connectorId: string; readonly appId: string; readonly state: ImportState }): SyncFilter {
  return {
    ...(request.connectorId !== '' && { sourceId: request.connectorId }),
    ...(request.appId !== '' && { appId: request.appId }),
    ...(request.state !== ImportState.UNSPECIFIED && { state: request.state === ImportState.DONE ? 'DONE' : 'FAILED' }),
  };
}

/** The rows of a page, of which one more was fetched, and the token of the next. */
function cutPage<Row>(call: Call, rows: readonly Row[], keyOf: (row: Row) => readonly string[]): { page: Row[]; nextPageToken: string } {
  const page = rows.slice(0, call.page.size);
  const last = page.at(-1);
  return { page, nextPageToken: call.nextPageToken(rows.length > page.length && last !== undefined ? keyOf(last) : undefined) };
}

const keyOfGrant = (row: GrantKey): string[] => [row.entitlementId, row.accountId];

const importService = implement(ImportService, {
  importPeople: async (context, request, call) => {
    const asked = { ...request, sourceId: request.connectorId };
    if (!request.dryRun) {
      refuseToken(request.differenceToken);
      return shape(ImportServiceImportPeopleResponseSchema, { import: shapeImport(await importPeople(context, asked, uploadOf(call))) });
    }
    const after = readDifferenceToken(request.differenceToken);
    const done = await rehearse(after, (rehearsing) => importPeople(context, asked, uploadOf(call), rehearsing));
    return shape(ImportServiceImportPeopleResponseSchema, shapeRehearsal(done));
  },
  importGrants: async (context, request, call) => {
    const asked = { ...request, sourceId: request.connectorId };
    if (!request.dryRun) {
      refuseToken(request.differenceToken);
      return shape(ImportServiceImportGrantsResponseSchema, { import: shapeImport(await importGrants(context, asked, uploadOf(call))) });
    }
    const after = readDifferenceToken(request.differenceToken);
    const done = await rehearse(after, (rehearsing) => importGrants(context, asked, uploadOf(call), rehearsing));
    return shape(ImportServiceImportGrantsResponseSchema, shapeRehearsal(done));
  },
  get: async (context, request) => shape(ImportServiceGetResponseSchema, { import: shapeImport(await requireSync(context, request.id)) }),
  list: async (context, request, call) => {
    const rows = await listSyncs(context, filterOf(request), call.page.after?.[0], call.page.size + 1);
    const { page, nextPageToken } = cutPage(call, rows, ({ id }) => [id]);
    return shape(ImportServiceListResponseSchema, {
      list: page.map((row) => shape(ImportViewSchema, { import: shapeImport(row) })),
      nextPageToken,
    });
  },
  listGrants: async (context, request, call) => {
    const { rows, names } = await replaySync(context, request.id, call.page.after, call.page.size + 1);
    const { page, nextPageToken } = cutPage(call, rows, keyOfGrant);
    return shape(ImportServiceListGrantsResponseSchema, { list: page.map((row) => shapeSyncGrant(names, row, row)), nextPageToken });
  },
  diff: async (context, request, call) => {
    const { rows, names, fromId, counts } = await diffSyncs(context, request.id, request.from, call.page.after, call.page.size + 1);
    const { page, nextPageToken } = cutPage(call, rows, keyOfGrant);
    return shape(ImportServiceDiffResponseSchema, {
      fromId,
      toId: request.id,
      ...(counts && { counts: shapeCounts(counts) }),
      list: page.map((row) => shapeDifference(names, row)),
      nextPageToken,
    });
  },
});

/** What the module imports serves. */
export const services = [importService, mappingService];
