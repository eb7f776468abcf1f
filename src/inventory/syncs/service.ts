/**
 * The contract's service about imports: each method calls one rule and shapes the reply.
 */
import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { type ImportedApp, ImportService, ImportState } from '../../gen/countersign/v1/imports_pb.js';
import { invalidField } from '../../errors.ts';
import { type Row, unset } from '../../wire/row.ts';
import { type Call, implement } from '../../wire/service.ts';
import { type AppOutcome, importApps } from './import-apps.ts';
import { importC1z } from './import-c1z.ts';
import { importGrants } from './import-grants.ts';
import { importPeople } from './import-people.ts';
import { isAppColumn } from './apps/index.ts';
import { refuseFile } from './values/index.ts';
import { readDifferenceToken, rehearse, shapeRehearsal } from './rehearsal/index.ts';
import type { SentFile } from './rows/index.ts';
import { diffSyncs, replaySync, requireSync } from './replay/index.ts';
import { mappingService } from './suggestions/index.ts';
import { type GrantKey, type SyncFilter, listSyncs, shapeDifference, shapeImport, shapeReading, shapeSyncGrant } from './record/index.ts';

function uploadOf(call: Call): SentFile {
  if (call.body === undefined) {
    throw refuseFile('the request has no body');
  }
  return { body: call.body, encoding: call.contentEncoding, left: call.left };
}

/** The moment the file was made, where the request says it. */
const momentOf = ({ observedFrom }: { readonly observedFrom?: Timestamp | undefined }) => observedFrom && timestampDate(observedFrom);

/** Somebody who means to go on with a dry run must not import instead. */
function refuseToken(token: string): void {
  if (token !== '') {
    throw invalidField('differenceToken', 'is for dry runs: set dryRun, or leave it out');
  }
}

function refuseField(isWrong: boolean, field: string, description: string): void {
  if (isWrong) {
    throw invalidField(field, description);
  }
}

/** Shapes the outcome for one app as countersign.v1.ImportedApp. */
function shapeApp(outcome: AppOutcome): Row<ImportedApp> {
  if ('sync' in outcome) {
    return { app: outcome.app, import: shapeImport(outcome.sync), ...unset('refusal') };
  }
  const { code, message, violations = [] } = outcome.refusal;
  return { app: outcome.app, refusal: { code, message, violations }, ...unset('import') };
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
    const asked = { ...request, sourceId: request.connectorId, observedFrom: momentOf(request) };
    if (!request.dryRun) {
      refuseToken(request.differenceToken);
      return { import: shapeImport(await importPeople(context, asked, uploadOf(call))), ...unset('dryRun') };
    }
    const after = readDifferenceToken(request.differenceToken);
    const done = await rehearse(after, (rehearsing) => importPeople(context, asked, uploadOf(call), rehearsing));
    return shapeRehearsal(done);
  },
  importGrants: async (context, request, call) => {
    const { splitByApp, appColumn, ...rest } = request;
    const asked = { ...rest, sourceId: request.connectorId, observedFrom: momentOf(request) };
    if (splitByApp) {
      refuseToken(request.differenceToken);
      refuseField(request.dryRun, 'dryRun', 'is for a file of one app: leave it out, or do not split the file by app');
      const { apps, howRead, ...done } = await importApps(context, { ...asked, appColumn }, uploadOf(call));
      return { ...done, reading: shapeReading(howRead), apps: apps.map(shapeApp), ...unset('import', 'dryRun') };
    }
    refuseField(appColumn !== '', 'appColumn', 'is for files of several apps: set splitByApp, or leave it out');
    if (!request.dryRun) {
      refuseToken(request.differenceToken);
      const row = await importGrants(context, asked, uploadOf(call));
      const resource = row.howRead?.mapping['resource'] ?? '';
      return { import: shapeImport(row), appColumn: isAppColumn(resource) ? resource : '', ...unset('dryRun', 'reading', 'apps') };
    }
    const after = readDifferenceToken(request.differenceToken);
    const done = await rehearse(after, (rehearsing) => importGrants(context, asked, uploadOf(call), rehearsing));
    return { ...shapeRehearsal(done), ...unset('appColumn', 'reading', 'apps') };
  },
  importC1z: async (context, request, call) => {
    const asked = { ...request, sourceId: request.connectorId };
    if (!request.dryRun) {
      refuseToken(request.differenceToken);
      return { import: shapeImport(await importC1z(context, asked, uploadOf(call))), ...unset('dryRun') };
    }
    const after = readDifferenceToken(request.differenceToken);
    const done = await rehearse(after, (rehearsing) => importC1z(context, asked, uploadOf(call), rehearsing));
    return shapeRehearsal(done);
  },
  get: async (context, request) => ({ import: shapeImport(await requireSync(context, request.id)) }),
  list: async (context, request, call) => {
    const rows = await listSyncs(context, filterOf(request), call.page.after?.[0], call.page.size + 1);
    const { page, nextPageToken } = cutPage(call, rows, ({ id }) => [id]);
    return { list: page.map((row) => ({ import: shapeImport(row) })), nextPageToken };
  },
  listGrants: async (context, request, call) => {
    const { rows, names } = await replaySync(context, request.id, call.page.after, call.page.size + 1);
    const { page, nextPageToken } = cutPage(call, rows, keyOfGrant);
    return { list: page.map((row) => shapeSyncGrant(names, row, row)), nextPageToken };
  },
  diff: async (context, request, call) => {
    const { rows, names, fromId, counts } = await diffSyncs(context, request.id, request.from, call.page.after, call.page.size + 1);
    const { page, nextPageToken } = cutPage(call, rows, keyOfGrant);
    return {
      fromId,
      toId: request.id,
      counts: counts && { ...counts, disputed: 0 },
      list: page.map((row) => shapeDifference(names, row)),
      nextPageToken,
    };
  },
});

/** Services of the module imports. */
export const services = [importService, mappingService];
