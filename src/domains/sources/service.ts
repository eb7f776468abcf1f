/**
 * The contract's services about sources: each method calls one rule and shapes the reply. ForceSync is in the module identity.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { ConnectorService } from '../../gen/c1/api/app/v1/connector_service_pb.js';
import { ConnectorOwnerV2Service } from '../../gen/c1/api/app/v2/connector_owner_service_pb.js';
import { SourceService } from '../../gen/countersign/v1/connectors_pb.js';
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { type Call, implement, implementPart } from '../../wire/service.ts';
import { readPage, serveOwners } from '../catalog/index.ts';
import { changeSource, createSource, deleteSource, setPaused, setRemovalShare } from './change-source.ts';
import { removeSecret, setSecret } from './change-secrets.ts';
import { setStaleAfter } from './set-stale-after.ts';
import { ownedSource, requireSource, requireSourceOrDeleted } from './require.ts';
import { findReadSources, requireAppReader, requireSourceReader } from './stand-to-source.ts';
import { type SourceRow, listSources } from './store.ts';
import { shapeConnectorView } from './view.ts';
import { viewSources } from './view-sources.ts';

async function viewConnectors(call: Call, rows: readonly SourceRow[], paths: readonly string[] | undefined) {
  const wanted = [
    { path: 'app_id', type: 'c1.api.app.v1.App', ids: rows.map((row) => row.appId) },
    { path: 'user_ids', type: 'c1.api.user.v1.User', ids: rows.flatMap((row) => row.userIds) },
  ];
  const { expanded, pathOf } = await call.expand(wanted, paths);
  return { expanded, views: rows.map((row) => shapeConnectorView(row, pathOf)) };
}

async function oneConnector(call: Call, row: SourceRow, paths: readonly string[] | undefined) {
  const { expanded, views } = await viewConnectors(call, [row], paths);
  return { expanded, connectorView: views[0] };
}

/** INVALID_ARGUMENT for the two ways of naming owners that mean nothing without provisioning. */
function refuseUnknownOwners(sent: JsonObject): void {
  const fields = ['appEntitlementOwnerRefs', 'appManagedStateBindingRef'].filter((field) => {
    const value = sent[field];
    return Array.isArray(value) ? value.length > 0 : value !== undefined;
  });
  if (fields.length > 0) {
    throw new AppError('INVALID_ARGUMENT', `${fields.join(' and ')} cannot be used here: name people in userIds.`, {
      violations: fields.map((field) => ({ field, description: 'is not supported; name people in userIds' })),
    });
  }
}

function membersOf(sent: JsonObject): JsonObject {
  const { appId: _app, expandMask: _mask, appEntitlementOwnerRefs: _refs, appManagedStateBindingRef: _binding, ...members } = sent;
  return members;
}

/** A catalog id that names a connector makes a source whose connector speaks to us: clients of the public API say no more of it. */
function withConnector(members: JsonObject): JsonObject {
  const { catalogId, config } = members;
  return config === undefined && typeof catalogId === 'string' && catalogId.startsWith('baton-')
    ? { ...members, config: { '@type': 'type.googleapis.com/countersign.v1.BatonSettings', program: catalogId } }
    : members;
}

async function create(context: Context, call: Call, appId: string, members: JsonObject, paths: readonly string[] | undefined) {
  refuseUnknownOwners(call.sent);
  const row = await createSource(context, appId, members);
  return oneConnector(call, row, paths);
}

async function update(context: Context, call: Call, appId: string, id: string, paths: readonly string[] | undefined) {
  const row = await changeSource(context, appId, id, (call.sent.connector ?? {}) as JsonObject, call.mask);
  return oneConnector(call, row, paths);
}

const connectorService = implementPart(ConnectorService, {
  create: (context, request, call) => create(context, call, request.appId, membersOf(call.sent), request.expandMask?.paths),
  createDelegated: (context, request, call) =>
    create(context, call, request.appId, withConnector(membersOf(call.sent)), request.expandMask?.paths),
  get: async (context, request, call) => {
    await requireSourceReader(context, request.id);
    return oneConnector(call, await requireSourceOrDeleted(context, request.appId, request.id), undefined);
  },
  list: async (context, request, call) => {
    const filter = { appId: request.appId, ids: await requireAppReader(context, request.appId) };
    const { rows, nextPageToken } = await readPage(
      call,
      (after, limit) => listSources(context, filter, after, limit),
      (row) => row.id,
    );
    const { expanded, views } = await viewConnectors(call, rows, undefined);
    return { expanded, list: views, nextPageToken };
  },
  update: (context, request, call) => update(context, call, request.appId, request.id, request.expandMask?.paths),
  updateDelegated: (context, request, call) =>
    update(context, call, request.connectorAppId, request.connectorId, request.expandMask?.paths),
  delete: async (context, request) => {
    await deleteSource(context, request.appId, request.id);
    return {};
  },
  pauseSync: async (context, request) => {
    await setPaused(context, request.appId, request.connectorId, true);
    return {};
  },
  resumeSync: async (context, request) => {
    await setPaused(context, request.appId, request.connectorId, false);
    return {};
  },
});

async function oneSource(context: Context, row: SourceRow) {
  const [source] = await viewSources(context, [row]);
  return { source };
}

const sourceService = implement(SourceService, {
  list: async (context, _request, call) => {
    const filter = { appId: undefined, ids: await findReadSources(context) };
    const { rows, nextPageToken } = await readPage(
      call,
      (after, limit) => listSources(context, filter, after, limit),
      (row) => row.id,
    );
    return { list: await viewSources(context, rows), nextPageToken };
  },
  get: async (context, request) => {
    await requireSourceReader(context, request.id);
    return oneSource(context, await requireSource(context, request.id));
  },
  setSecret: async (context, { id, name, value, fromFile }) => oneSource(context, await setSecret(context, id, { name, value, fromFile })),
  deleteSecret: async (context, { id, name }) => oneSource(context, await removeSecret(context, id, name)),
  setStaleAfter: async (context, { id }, call) => oneSource(context, await setStaleAfter(context, id, call.sent.staleAfter)),
  setRemovalShare: async (context, request) => oneSource(context, await setRemovalShare(context, request.id, request.removalShare)),
});

/** Connectors, sources of every kind, and who owns them. */
export const connectorServices = [
  connectorService,
  sourceService,
  serveOwners(ConnectorOwnerV2Service, ({ appId, connectorId }) => ownedSource(appId, connectorId)),
];
