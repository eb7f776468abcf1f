/** Sample requests of the operations about access conflicts. */
import type { World } from '../world.ts';
import type { MakeSample, SampleFile } from './sample.ts';

const group = 'ENTITLEMENT_GROUP_A';

/** A new monitor with an entitlement of the world's app in its first group. */
async function makeMonitor(world: World): Promise<string> {
  const { body } = await world.call(world.tenant.admin, 'POST', '/api/v1/accessconflict', { displayName: 'Pays and approves' });
  await world.call(world.tenant.admin, 'POST', '/api/v1/appentitlementmonitorbinding', bindingOf(world, body.id));
  return body.id;
}

const bindingOf = (world: World, monitorId: string): object => ({
  monitorId,
  appId: world.appId,
  appEntitlementId: world.entitlementId,
  entitlementGroup: group,
});

/** A new monitor finds whoever has an account, since group B is empty and negated: more alerts than a page of ten. */
async function makeAlerts(world: World): Promise<string[]> {
  const call = async (method: string, path: string, body?: object) => (await world.call(world.tenant.admin, method, path, body)).body;
  const { list } = await call('GET', `/api/v1/apps/${world.appId}/entitlements?page_size=100`);
  const access = list.find((one: { appEntitlement: { appResourceId: string } }) => one.appEntitlement.appResourceId === '');
  const { id } = await call('POST', '/api/v1/accessconflict', { displayName: 'Has an account' });
  await call('POST', '/api/v1/appentitlementmonitorbinding', { ...bindingOf(world, id), appEntitlementId: access.appEntitlement.id });
  await call('POST', `/api/v1/accessconflict/${id}`, { negateGroupB: true });
  await call('POST', `/api/v1/accessconflict/${id}/action/enable`, {});
  for (let attempt = 0; attempt < 600; attempt++) {
    const found = await call('GET', `/api/v1/conflict_alerts?monitor_id=${id}&page_size=100`);
    if (found.list.length > 0) {
      return found.list.map((alert: { id: string }) => alert.id);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('no alert was found within 60 s');
}

const alerts = new WeakMap<World, string[]>();

/** An alert that no other sample has: detection is a job, so many are made at once. */
async function takeAlert(world: World): Promise<string> {
  const left = alerts.get(world) ?? [];
  const pool = left.length > 0 ? left : await makeAlerts(world);
  alerts.set(world, pool);
  return pool.pop() ?? '';
}

const ofMonitor: MakeSample = async (world) => {
  const id = await makeMonitor(world);
  return { path: { id, monitor_id: id } };
};

/** By the name of the operation. */
export const samples: SampleFile['samples'] = {
  'AccessConflictService.createMonitor': () => ({ fields: { displayName: 'Made' } }),
  'AccessConflictService.deleteMonitor': ofMonitor,
  'AccessConflictService.getMonitor': ofMonitor,
  'AccessConflictService.updateMonitor': async (world) => ({
    ...(await ofMonitor(world, world.tenant.admin)),
    fields: { description: 'Changed' },
  }),
  'AppEntitlementMonitorBindingService.createAppEntitlementMonitorBinding': async (world) => {
    const { body } = await world.call(world.tenant.admin, 'POST', '/api/v1/accessconflict', { displayName: 'Empty' });
    return { fields: { ...bindingOf(world, body.id) } };
  },
  'AppEntitlementMonitorBindingService.deleteAppEntitlementMonitorBinding': async (world) => ({
    fields: { ...bindingOf(world, await makeMonitor(world)) },
  }),
  'AppEntitlementMonitorBindingService.getAppEntitlementMonitorBinding': async (world) => ({
    fields: { ...bindingOf(world, await makeMonitor(world)) },
  }),
  'ConflictMonitorService.list': () => ({}),
  'ConflictMonitorService.listEntitlements': async (world) => ({
    path: { monitor_id: world.notes['fullMonitor'] ?? '' },
  }),
  'ConflictMonitorService.enable': async (world) => {
    const sample = await ofMonitor(world, world.tenant.admin);
    await world.call(world.tenant.admin, 'POST', `/api/v1/accessconflict/${sample.path?.['id']}`, { negateGroupB: true });
    return sample;
  },
  'ConflictMonitorService.disable': ofMonitor,
  'ConflictAlertService.list': () => ({}),
  'ConflictAlertService.get': async (world) => ({ path: { id: await takeAlert(world) } }),
  'ConflictAlertService.exempt': async (world) => ({ path: { id: await takeAlert(world) }, fields: { reason: 'Small firm' } }),
  'ConflictAlertService.withdraw': async (world) => {
    const id = await takeAlert(world);
    await world.call(world.tenant.admin, 'POST', `/api/v1/conflict_alerts/${id}/action/exempt`, { reason: 'Small firm' });
    return { path: { id } };
  },
};

/** More alerts and monitors than a page of ten, and as many entitlements of one monitor; the sample of that list finds it. */
export async function fill(world: World): Promise<void> {
  const call = async (path: string, body: object) => (await world.call(world.tenant.admin, 'POST', path, body)).body;
  const answer = await world.call(world.tenant.admin, 'GET', `/api/v1/apps/${world.appId}/entitlements?page_size=12`);
  const entitlementIds: string[] = answer.body.list.map((one: { appEntitlement: { id: string } }) => one.appEntitlement.id);
  const monitorId: string = (await call('/api/v1/accessconflict', { displayName: 'Many' })).id;
  world.notes['fullMonitor'] = monitorId;
  for (const appEntitlementId of entitlementIds) {
    await call('/api/v1/appentitlementmonitorbinding', { ...bindingOf(world, monitorId), appEntitlementId });
  }
  for (let count = 0; count < 11; count++) {
    await call('/api/v1/accessconflict', { displayName: `Empty ${count}` });
  }
  await takeAlert(world);
}
