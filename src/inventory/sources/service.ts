/**
 * The contract's services about sources: each method calls one rule and shapes the reply. ForceSync is in the module identity.
 */
import type { ConnectorJson } from '../../gen/c1/api/app/v1/connector_pb.js';
import { ConnectorService, type ConnectorServiceCreateDelegatedRequestJson } from '../../gen/c1/api/app/v1/connector_service_pb.js';
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

/**
 * Reads how clients of the public API make a source: a catalog id that names a connector makes one whose connector speaks to us, since they say no
 * more of it. INVALID_ARGUMENT for the two ways of naming owners that mean nothing without provisioning.
 */
function readDelegated(sent: ConnectorServiceCreateDelegatedRequestJson): ConnectorJson {
  const { appId: _app, expandMask: _mask, appEntitlementOwnerRefs = [], appManagedStateBindingRef, ...members } = sent;
  const fields = [
    ...(appEntitlementOwnerRefs.length > 0 ? ['appEntitlementOwnerRefs'] : []),
    ...(appManagedStateBindingRef === undefined ? [] : ['appManagedStateBindingRef']),
  ];
  if (fields.length > 0) {
    throw new AppError('INVALID_ARGUMENT', `${fields.join(' and ')} cannot be used here: name people in userIds.`, {
      violations: fields.map((field) => ({ field, description: 'is not supported; name people in userIds' })),
    });
  }
  const settings = { '@type': 'type.googleapis.com/countersign.v1.BatonSettings', program: members.catalogId };
  return settings.program?.startsWith('baton-') ? { ...members, config: settings } : members;
}

const connectorService = implementPart(ConnectorService, {
  create: async (context, { appId, expandMask }, call) => {
    const { appId: _app, expandMask: _mask, ...members } = call.sent;
    return oneConnector(call, await createSource(context, appId, members), expandMask?.paths);
  },
  createDelegated: async (context, { appId, expandMask }, call) =>
    oneConnector(call, await createSource(context, appId, readDelegated(call.sent)), expandMask?.paths),
  get: async (context, request, call) => {
    await requireSourceReader(context, request.id);
    return oneConnector(call, await requireSourceOrDeleted(context, request.appId, request.id), undefined);
  },
  list: async (context, request, call) => {
    const filter = { appId: request.appId, ids: await requireAppReader(context, request.appId) };
    const { rows, nextPageToken } = await readPage(call, (after, limit) => listSources(context, filter, after, limit));
    const { expanded, views } = await viewConnectors(call, rows, undefined);
    return { expanded, list: views, nextPageToken };
  },
  update: async (context, { appId, id, expandMask }, call) =>
    oneConnector(call, await changeSource(context, appId, id, call.sent.connector ?? {}, call.mask), expandMask?.paths),
  updateDelegated: async (context, { connectorAppId, connectorId, expandMask }, call) =>
    oneConnector(call, await changeSource(context, connectorAppId, connectorId, call.sent.connector ?? {}, call.mask), expandMask?.paths),
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
    const { rows, nextPageToken } = await readPage(call, (after, limit) => listSources(context, filter, after, limit));
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
