/**
 * The contract's services about sources: each method calls one rule and shapes the reply. ForceSync is in the module identity.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import {
  ConnectorService,
  ConnectorServiceCreateResponseSchema,
  ConnectorServiceDeleteResponseSchema,
  ConnectorServiceGetResponseSchema,
  ConnectorServiceListResponseSchema,
  ConnectorServiceUpdateResponseSchema,
  PauseSyncResponseSchema,
  ResumeSyncResponseSchema,
} from '../../gen/c1/api/app/v1/connector_service_pb.js';
import { ConnectorOwnerV2Service } from '../../gen/c1/api/app/v2/connector_owner_service_pb.js';
import {
  SourceService,
  SourceServiceGetResponseSchema,
  SourceServiceListResponseSchema,
  SourceServiceSetRemovalShareResponseSchema,
} from '../../gen/countersign/v1/connectors_pb.js';
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { shape } from '../../wire/reply.ts';
import { type Call, implement, implementPart } from '../../wire/service.ts';
import { pageOf, requireApp, serveOwners } from '../catalog/index.ts';
import { changeSource, createSource, deleteSource, setPaused, setRemovalShare } from './change-source.ts';
import { ownedSource, requireSource, requireSourceOrDeleted } from './require.ts';
import { type SourceRow, listSources } from './store.ts';
import { shapeConnectorView, shapeSource } from './view.ts';

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

async function create(context: Context, call: Call, appId: string, paths: readonly string[] | undefined) {
  refuseUnknownOwners(call.sent);
  const row = await createSource(context, appId, membersOf(call.sent));
  return shape(ConnectorServiceCreateResponseSchema, await oneConnector(call, row, paths));
}

async function update(context: Context, call: Call, appId: string, id: string, paths: readonly string[] | undefined) {
  const row = await changeSource(context, appId, id, (call.sent.connector ?? {}) as JsonObject, call.mask);
  return shape(ConnectorServiceUpdateResponseSchema, await oneConnector(call, row, paths));
}

const connectorService = implementPart(ConnectorService, {
  create: (context, request, call) => create(context, call, request.appId, request.expandMask?.paths),
  createDelegated: (context, request, call) => create(context, call, request.appId, request.expandMask?.paths),
  get: async (context, request, call) =>
    shape(
      ConnectorServiceGetResponseSchema,
      await oneConnector(call, await requireSourceOrDeleted(context, request.appId, request.id), undefined),
    ),
  list: async (context, request, call) => {
    await requireApp(context, request.appId);
    const { rows, nextPageToken } = await pageOf(
      call,
      (after, limit) => listSources(context, request.appId, after, limit),
      (row) => row.id,
    );
    const { expanded, views } = await viewConnectors(call, rows, undefined);
    return shape(ConnectorServiceListResponseSchema, { expanded, list: views, nextPageToken });
  },
  update: (context, request, call) => update(context, call, request.appId, request.id, request.expandMask?.paths),
  updateDelegated: (context, request, call) =>
    update(context, call, request.connectorAppId, request.connectorId, request.expandMask?.paths),
  delete: async (context, request) => {
    await deleteSource(context, request.appId, request.id);
    return shape(ConnectorServiceDeleteResponseSchema, {});
  },
  pauseSync: async (context, request) => {
    await setPaused(context, request.appId, request.connectorId, true);
    return shape(PauseSyncResponseSchema, {});
  },
  resumeSync: async (context, request) => {
    await setPaused(context, request.appId, request.connectorId, false);
    return shape(ResumeSyncResponseSchema, {});
  },
});

const sourceService = implement(SourceService, {
  list: async (context, _request, call) => {
    const { rows, nextPageToken } = await pageOf(
      call,
      (after, limit) => listSources(context, undefined, after, limit),
      (row) => row.id,
    );
    return shape(SourceServiceListResponseSchema, { list: rows.map(shapeSource), nextPageToken });
  },
  get: async (context, request) => shape(SourceServiceGetResponseSchema, { source: shapeSource(await requireSource(context, request.id)) }),
  setRemovalShare: async (context, request) =>
    shape(SourceServiceSetRemovalShareResponseSchema, {
      source: shapeSource(await setRemovalShare(context, request.id, request.removalShare)),
    }),
});

/** Connectors, sources of every kind, and who owns them. */
export const connectorServices = [
  connectorService,
  sourceService,
  serveOwners(ConnectorOwnerV2Service, ({ appId, connectorId }) => ownedSource(appId, connectorId)),
];
