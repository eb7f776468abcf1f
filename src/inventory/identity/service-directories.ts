/**
 * The contract's service about directories: each method calls one rule and shapes the reply.
 */
import { type Directory, DirectorySchema, type DirectoryView } from '../../gen/c1/api/directory/v1/directory_pb.js';
import { DirectoryService } from '../../gen/c1/api/directory/v1/directory_service_pb.js';
import { keptRow, type Row, unset } from '../../wire/row.ts';
import { type Call, implement } from '../../wire/service.ts';
import { readPage, type PathOf } from '../catalog/index.ts';
import { changeDirectory, createDirectory, deleteDirectory, requireDirectory } from './change-directory.ts';
import { type DirectoryRow, listDirectories } from './store-directories.ts';

function shapeDirectory(row: DirectoryRow): Row<Directory> {
  return { ...row, ...keptRow(DirectorySchema, { ...row.accountFilter, mergeConfig: row.mergeConfig }), ...unset('deletedAt') };
}

function shapeView(row: DirectoryRow, pathOf: PathOf): Row<DirectoryView> {
  return { directory: shapeDirectory(row), appPath: pathOf('app_id', row.appId) };
}

async function viewDirectories(call: Call, rows: readonly DirectoryRow[], paths: readonly string[] | undefined) {
  const wanted = [{ path: 'app_id', type: 'c1.api.app.v1.App', ids: rows.map((row) => row.appId) }];
  const { expanded, pathOf } = await call.expand(wanted, paths);
  return { expanded, views: rows.map((row) => shapeView(row, pathOf)) };
}

async function oneView(call: Call, row: DirectoryRow, paths: readonly string[] | undefined) {
  const { expanded, views } = await viewDirectories(call, [row], paths);
  return { expanded, directoryView: views[0] };
}

const directoryService = implement(DirectoryService, {
  create: async (context, request, call) => {
    const row = await createDirectory(context, request.appId, call.sent);
    return oneView(call, row, request.expandMask?.paths);
  },
  get: async (context, request, call) => oneView(call, await requireDirectory(context, request.appId), undefined),
  list: async (context, _request, call) => {
    const { rows, nextPageToken } = await readPage(
      call,
      (after, limit) => listDirectories(context, after, limit),
      (row) => row.appId,
    );
    const { expanded, views } = await viewDirectories(call, rows, undefined);
    return { expanded, list: views, nextPageToken };
  },
  update: async (context, request, call) => {
    const row = await changeDirectory(context, request.appId, call.sent);
    return oneView(call, row, request.expandMask?.paths);
  },
  delete: async (context, request) => {
    await deleteDirectory(context, request.appId);
    return {};
  },
});

/** Directories. */
export const directoryServices = [directoryService];
