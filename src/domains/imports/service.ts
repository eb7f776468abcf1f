/**
 * The contract's service about imports: each method calls one rule and shapes the reply.
 */
import {
  ImportService,
  ImportServiceGetResponseSchema,
  ImportServiceImportGrantsResponseSchema,
  ImportServiceImportPeopleResponseSchema,
  ImportServiceListResponseSchema,
  ImportViewSchema,
} from '../../gen/countersign/v1/imports_pb.js';
import { AppError } from '../../errors.ts';
import { shape } from '../../wire/reply.ts';
import { type Call, implement } from '../../wire/service.ts';
import { importGrants } from './import-grants.ts';
import { importPeople } from './import-people.ts';
import { refuseFile } from './notes.ts';
import type { Upload } from './read-file.ts';
import { findImport, listImports } from './store.ts';
import { shapeImport } from './view.ts';

function uploadOf(call: Call): Upload {
  if (call.body === undefined) {
    throw refuseFile('the request has no body');
  }
  return { body: call.body, encoding: call.contentEncoding };
}

const importService = implement(ImportService, {
  importPeople: async (scope, request, call) =>
    shape(ImportServiceImportPeopleResponseSchema, { import: shapeImport(await importPeople(scope, request, uploadOf(call))) }),
  importGrants: async (scope, request, call) =>
    shape(ImportServiceImportGrantsResponseSchema, { import: shapeImport(await importGrants(scope, request, uploadOf(call))) }),
  get: async (scope, request) => {
    const row = await findImport(scope, request.id);
    if (row === undefined) {
      throw new AppError('NOT_FOUND', 'There is no such import.');
    }
    return shape(ImportServiceGetResponseSchema, { import: shapeImport(row) });
  },
  list: async (scope, _request, call) => {
    const rows = await listImports(scope, call.page.after?.[0], call.page.size + 1);
    const page = rows.slice(0, call.page.size);
    const last = page.at(-1);
    return shape(ImportServiceListResponseSchema, {
      list: page.map((row) => shape(ImportViewSchema, { import: shapeImport(row) })),
      nextPageToken: call.nextPageToken(rows.length > page.length && last ? [last.id] : undefined),
    });
  },
});

/** What the room of imports serves. */
export const services = [importService];
