/** The sample company's conflict: people who can both prepare and release a payment. */
import { listAll, listAppIds, listEntitlementIds, type SampleServer } from './server.ts';

/** The display name of the monitor. */
export const sampleMonitorName = 'Prepares and releases payments';
const sides = [
  ['ENTITLEMENT_GROUP_A', 'Payments Prepare'],
  ['ENTITLEMENT_GROUP_B', 'Payments Release'],
] as const;

/** Makes and enables the monitor unless it is there, and waits until it has looked: the review shows what it found. */
export async function watchSamplePayments(server: SampleServer): Promise<void> {
  const [found] = await listAll(server, 'ConflictMonitorService.List', { query: sampleMonitorName });
  if (found?.enabled !== true) {
    const id = found?.id ?? (await createMonitor(server));
    await bindSides(server, id);
    await server.call('ConflictMonitorService.Enable', { id });
    await waitForAlerts(server, id);
  }
}

async function createMonitor(server: SampleServer): Promise<string> {
  const description = 'Whoever prepares a payment must not be able to release it.';
  return (await server.call('AccessConflictService.CreateMonitor', { displayName: sampleMonitorName, description })).id ?? '';
}

async function bindSides(server: SampleServer, monitorId: string): Promise<void> {
  const bound = await listAll(server, 'ConflictMonitorService.ListEntitlements', { monitorId });
  const appId = (await listAppIds(server)).get('Sample Ledger') ?? '';
  const ids = await listEntitlementIds(server, appId);
  for (const [entitlementGroup, name] of sides) {
    const appEntitlementId = ids.get(name) ?? '';
    if (!bound.some((one) => one.appEntitlementId === appEntitlementId)) {
      const request = { monitorId, appId, appEntitlementId, entitlementGroup };
      await server.call('AppEntitlementMonitorBindingService.CreateAppEntitlementMonitorBinding', request);
    }
  }
}

async function waitForAlerts(server: SampleServer, monitorId: string): Promise<void> {
  for await (const _ of server.pauses()) {
    if (((await server.call('ConflictAlertService.List', { monitorId, pageSize: 10 })).list ?? []).length > 0) {
      return;
    }
  }
}
