/** The contract's services about monitors and alerts: each method calls one rule and shapes the reply. */
import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { EntitlementGroup } from '../../gen/c1/api/accessconflict/v1/access_conflict_pb.js';
import {
  AccessConflictService,
  AppEntitlementMonitorBindingService,
  ConflictMonitorDeleteResponseSchema,
  DeleteAppEntitlementMonitorBindingResponseSchema,
} from '../../gen/c1/api/accessconflict/v1/access_conflict_pb.js';
import {
  ConflictAlertService,
  ConflictAlertServiceExemptResponseSchema,
  ConflictAlertServiceGetResponseSchema,
  ConflictAlertServiceListResponseSchema,
  ConflictAlertServiceWithdrawResponseSchema,
  ConflictAlertState,
  ConflictMonitorService,
  ConflictMonitorServiceDisableResponseSchema,
  ConflictMonitorServiceEnableResponseSchema,
  ConflictMonitorServiceListEntitlementsResponseSchema,
  ConflictMonitorServiceListResponseSchema,
} from '../../gen/countersign/v1/conflicts_pb.js';
import { textOf } from '../../lib/where.ts';
import { pageByKey, pageOf } from '../../wire/page.ts';
import { shape } from '../../wire/reply.ts';
import { implement } from '../../wire/service.ts';
import { addBinding, type BindingKey, dropBinding, requireBinding } from './change-entitlements.ts';
import { changeMonitor, createMonitor, deleteMonitor, disableMonitor, enableMonitor } from './change-monitor.ts';
import { exemptAlert, withdrawExemption } from './exempt.ts';
import { requireAlert, requireMonitor } from './require.ts';
import type { AlertState } from './states.ts';
import { listAlertGrants, listAlerts } from './store-alerts.ts';
import { listBindings } from './store-entitlements.ts';
import { listMonitors } from './store-monitors.ts';
import { shapeAlert, shapeBinding, shapeGrant, shapeMonitor, sideOf } from './view.ts';

/** Most grants that one alert shows. */
const maxGrants = 1_000;

const accessConflictService = implement(AccessConflictService, {
  createMonitor: async (context, _request, call) => shapeMonitor(await createMonitor(context, call.sent)),
  deleteMonitor: async (context, { id }) => {
    await deleteMonitor(context, id);
    return shape(ConflictMonitorDeleteResponseSchema, {});
  },
  getMonitor: async (context, { id }) => shapeMonitor(await requireMonitor(context, id)),
  updateMonitor: async (context, { id }, call) => shapeMonitor(await changeMonitor(context, id, call.sent)),
});

interface BindingRequest {
  readonly monitorId: string;
  readonly appId: string;
  readonly appEntitlementId: string;
  readonly entitlementGroup: EntitlementGroup;
}

const keyOf = ({ monitorId, appId, appEntitlementId, entitlementGroup }: BindingRequest): BindingKey => ({
  monitorId,
  appId,
  entitlementId: appEntitlementId,
  side: sideOf(entitlementGroup),
});

const bindingService = implement(AppEntitlementMonitorBindingService, {
  createAppEntitlementMonitorBinding: async (context, request) => shapeBinding(await addBinding(context, keyOf(request))),
  deleteAppEntitlementMonitorBinding: async (context, request) => {
    await dropBinding(context, keyOf(request));
    return shape(DeleteAppEntitlementMonitorBindingResponseSchema, {});
  },
  getAppEntitlementMonitorBinding: async (context, request) => shapeBinding(await requireBinding(context, keyOf(request))),
});

const monitorService = implement(ConflictMonitorService, {
  list: async (context, request, call) => {
    const { rows, nextPageToken } = await pageOf(
      call,
      (after, limit) => listMonitors(context, { query: textOf(request.query) }, after, limit),
      (row) => row.id,
    );
    return shape(ConflictMonitorServiceListResponseSchema, { list: rows.map(shapeMonitor), nextPageToken });
  },
  listEntitlements: async (context, { monitorId }, call) => {
    await requireMonitor(context, monitorId);
    const { rows, nextPageToken } = await pageByKey(
      call,
      ([appId = '', entitlementId = ''] = [], limit) => listBindings(context, monitorId, { appId, entitlementId }, limit),
      (row) => [row.appId, row.entitlementId],
    );
    return shape(ConflictMonitorServiceListEntitlementsResponseSchema, { list: rows.map(shapeBinding), nextPageToken });
  },
  enable: async (context, { id }) =>
    shape(ConflictMonitorServiceEnableResponseSchema, { conflictMonitor: shapeMonitor(await enableMonitor(context, id)) }),
  disable: async (context, { id }) =>
    shape(ConflictMonitorServiceDisableResponseSchema, { conflictMonitor: shapeMonitor(await disableMonitor(context, id)) }),
});

const states: Readonly<Record<ConflictAlertState, AlertState | undefined>> = {
  [ConflictAlertState.UNSPECIFIED]: undefined,
  [ConflictAlertState.ACTIVE]: 'ACTIVE',
  [ConflictAlertState.EXEMPTED]: 'EXEMPTED',
  [ConflictAlertState.RESOLVED]: 'RESOLVED',
};

const alertService = implement(ConflictAlertService, {
  list: async (context, request, call) => {
    const filter = {
      monitorId: textOf(request.monitorId),
      state: states[request.state],
      userId: textOf(request.userId),
      appId: textOf(request.appId),
      query: textOf(request.query),
    };
    const { rows, nextPageToken } = await pageOf(
      call,
      (after, limit) => listAlerts(context, filter, after, limit),
      (row) => row.id,
    );
    return shape(ConflictAlertServiceListResponseSchema, { list: rows.map(shapeAlert), nextPageToken });
  },
  get: async (context, { id }) => {
    const alert = await requireAlert(context, id);
    const grants = alert.state === 'RESOLVED' ? [] : await listAlertGrants(context, alert, maxGrants);
    return shape(ConflictAlertServiceGetResponseSchema, { conflictAlert: shapeAlert(alert), grants: grants.map(shapeGrant) });
  },
  exempt: async (context, request) => {
    const until = request.until === undefined ? null : timestampDate(request.until);
    const alert = await exemptAlert(context, request.id, request.reason, until);
    return shape(ConflictAlertServiceExemptResponseSchema, { conflictAlert: shapeAlert(alert) });
  },
  withdraw: async (context, { id }) =>
    shape(ConflictAlertServiceWithdrawResponseSchema, { conflictAlert: shapeAlert(await withdrawExemption(context, id)) }),
});

/** What the module serves. */
export const services = [accessConflictService, bindingService, monitorService, alertService];
