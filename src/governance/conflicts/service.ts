/** The contract's services about monitors and alerts: each method calls one rule and shapes the reply. */
import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { EntitlementGroup } from '../../gen/c1/api/accessconflict/v1/access_conflict_pb.js';
import { AccessConflictService, AppEntitlementMonitorBindingService } from '../../gen/c1/api/accessconflict/v1/access_conflict_pb.js';
import { ConflictAlertService, ConflictAlertState, ConflictMonitorService } from '../../gen/countersign/v1/conflicts_pb.js';
import { wantedText } from '../../lib/where.ts';
import { pageByKey, readPage } from '../../wire/page.ts';
import { implement } from '../../wire/service.ts';
import { addBinding, type BindingKey, dropBinding, requireBinding } from './change-entitlements.ts';
import { changeMonitor, createMonitor, deleteMonitor, disableMonitor, enableMonitor } from './change-monitor.ts';
import { exemptAlert, withdrawExemption } from './exempt.ts';
import { requireAlert, requireMonitor } from './require.ts';
import type { AlertState } from './states.ts';
import { listAlertGrants, listAlerts } from './store-alerts.ts';
import { listBindings } from './store-entitlements.ts';
import { listMonitors } from './store-monitors.ts';
import { shapeAlert, shapeBinding, shapeGrant, shapeMonitor, readSide } from './view.ts';

/** Most grants that one alert shows. */
const maxGrants = 1_000;

const accessConflictService = implement(AccessConflictService, {
  createMonitor: async (context, _request, call) => shapeMonitor(await createMonitor(context, call.sent)),
  deleteMonitor: async (context, { id }) => {
    await deleteMonitor(context, id);
    return {};
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
  side: readSide(entitlementGroup),
});

const bindingService = implement(AppEntitlementMonitorBindingService, {
  createAppEntitlementMonitorBinding: async (context, request) => shapeBinding(await addBinding(context, keyOf(request))),
  deleteAppEntitlementMonitorBinding: async (context, request) => {
    await dropBinding(context, keyOf(request));
    return {};
  },
  getAppEntitlementMonitorBinding: async (context, request) => shapeBinding(await requireBinding(context, keyOf(request))),
});

const monitorService = implement(ConflictMonitorService, {
  list: async (context, request, call) => {
    const { rows, nextPageToken } = await readPage(call, (after, limit) =>
      listMonitors(context, { query: wantedText(request.query) }, after, limit),
    );
    return { list: rows.map(shapeMonitor), nextPageToken };
  },
  listEntitlements: async (context, { monitorId }, call) => {
    await requireMonitor(context, monitorId);
    const { rows, nextPageToken } = await pageByKey(
      call,
      ([appId = '', entitlementId = ''] = [], limit) => listBindings(context, monitorId, { appId, entitlementId }, limit),
      (row) => [row.appId, row.entitlementId],
    );
    return { list: rows.map(shapeBinding), nextPageToken };
  },
  enable: async (context, { id }) => ({ conflictMonitor: shapeMonitor(await enableMonitor(context, id)) }),
  disable: async (context, { id }) => ({ conflictMonitor: shapeMonitor(await disableMonitor(context, id)) }),
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
      monitorId: wantedText(request.monitorId),
      state: states[request.state],
      userId: wantedText(request.userId),
      appId: wantedText(request.appId),
      query: wantedText(request.query),
    };
    const { rows, nextPageToken } = await readPage(call, (after, limit) => listAlerts(context, filter, after, limit));
    return { list: rows.map(shapeAlert), nextPageToken };
  },
  get: async (context, { id }) => {
    const alert = await requireAlert(context, id);
    const grants = alert.state === 'RESOLVED' ? [] : await listAlertGrants(context, alert, maxGrants);
    return { conflictAlert: shapeAlert(alert), grants: grants.map(shapeGrant) };
  },
  exempt: async (context, request) => {
    const until = request.until === undefined ? null : timestampDate(request.until);
    const alert = await exemptAlert(context, request.id, request.reason, until);
    return { conflictAlert: shapeAlert(alert) };
  },
  withdraw: async (context, { id }) => ({ conflictAlert: shapeAlert(await withdrawExemption(context, id)) }),
});

/** Services of the module. */
export const services = [accessConflictService, bindingService, monitorService, alertService];
