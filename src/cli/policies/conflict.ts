/** `countersign conflict …`: monitors of access conflicts, through the API. The alerts they raise are in conflict-alert.ts. */
import {
  AccessConflictService,
  AppEntitlementMonitorBindingService,
  type ConflictMonitorJson,
  type EntitlementGroupJson,
} from '../../gen/c1/api/accessconflict/v1/access_conflict_pb.js';
import { ConflictMonitorService } from '../../gen/countersign/v1/conflicts_pb.js';
import { type Commands, formatFacts } from '../frame/commands.ts';
import { findApp, findEntitlementId } from '../frame/find.ts';
import { UsageError } from '../frame/io.ts';
import { listAll } from '../frame/list.ts';
import { addAlertCommands } from './conflict-alert.ts';

const operands = { '<monitor>': 'id of the monitor' } as const;
const fields = {
  '--description <text>': 'what it is for',
  '--negate-b': { text: 'find who holds none of group B', field: 'negateGroupB' },
  '--no-negate-b': { text: 'find who holds one of group B', field: 'negateGroupB' },
} as const;

/** Adds the `conflict` commands. */
export function addConflictCommands(group: Commands): void {
  group.list('list', {
    description: 'list the monitors',
    options: { '--query <text>': 'only those with these words in the name' },
    method: ConflictMonitorService.method.list,
    columns: { ID: 'id', ENABLED: 'enabled', NAME: 'displayName' },
  });

  group.run('show', {
    description: 'show one monitor and its two groups',
    operands,
    act: async ({ monitor: id }, { client }) => {
      const monitor = await client.call(AccessConflictService.method.getMonitor, { id });
      const entitlements = await listAll(client.pages(ConflictMonitorService.method.listEntitlements, { monitorId: id }));
      const sayGroup = (side: EntitlementGroupJson): string =>
        entitlements
          .filter(({ entitlementGroup }) => entitlementGroup === side)
          .map(({ appId, appEntitlementId }) => `${appId}/${appEntitlementId}`)
          .join(', ') || '-';
      return {
        json: { ...monitor, entitlements },
        text: formatFacts({
          name: monitor.displayName ?? '',
          description: monitor.description ?? '',
          enabled: monitor.enabled === true ? 'yes' : 'no',
          finds: `who holds one of group A and ${monitor.negateGroupB === true ? 'none' : 'one'} of group B`,
          'group A': sayGroup('ENTITLEMENT_GROUP_A'),
          'group B': sayGroup('ENTITLEMENT_GROUP_B'),
        }),
      };
    },
  });

  group.run('create', {
    description: 'create a monitor; it starts disabled',
    operands: { '<name>': 'what it watches for' },
    options: fields,
    act: async ({ name: displayName, description, negateB: negateGroupB }, { client }) => {
      const made = await client.call(AccessConflictService.method.createMonitor, {
        displayName,
        ...(description !== undefined && { description }),
      });
      const monitor =
        negateGroupB === undefined
          ? made
          : await client.call(AccessConflictService.method.updateMonitor, { id: made.id ?? '', negateGroupB });
      return { json: monitor, text: sayMonitor(monitor) };
    },
  });

  group.call('update', {
    description: 'change a monitor; another rule resolves its alerts',
    operands,
    options: { ...fields, '--name <name>': { text: 'its name', field: 'displayName' } },
    method: AccessConflictService.method.updateMonitor,
    text: sayMonitor,
  });

  group.call('enable', {
    description: 'enable a monitor; whoever is in conflict now gets an alert',
    operands,
    method: ConflictMonitorService.method.enable,
    text: sayMonitor,
  });

  group.call('disable', {
    description: 'disable a monitor; its alerts are resolved',
    operands,
    method: ConflictMonitorService.method.disable,
    text: sayMonitor,
  });

  group.call('delete', {
    description: 'delete a monitor; its alerts are resolved',
    operands,
    method: AccessConflictService.method.deleteMonitor,
    text: (_, { monitor }) => `Monitor ${monitor} is deleted.`,
  });

  const { createAppEntitlementMonitorBinding, deleteAppEntitlementMonitorBinding } = AppEntitlementMonitorBindingService.method;
  for (const [name, description, done] of [
    ['add', 'add an entitlement to a group of a monitor', 'has'],
    ['remove', 'remove an entitlement from a group of a monitor', 'no longer has'],
  ] as const) {
    group.run(name, {
      description,
      operands: { ...operands, '<group>': 'a or b' },
      options: {
        '--app <app>': { text: 'name or id of the app', needed: true },
        '--entitlement <entitlement>': { text: 'name or id of the entitlement', needed: true },
      },
      act: async ({ monitor: monitorId, group: side, app: named, entitlement }, session) => {
        const entitlementGroup = readGroup(side);
        const { client } = session;
        const app = await findApp(client, named);
        const request = {
          monitorId,
          appId: app.id,
          appEntitlementId: await findEntitlementId(client, app.id, entitlement),
          entitlementGroup,
        };
        const json =
          name === 'add'
            ? await client.call(createAppEntitlementMonitorBinding, request)
            : await client.call(deleteAppEntitlementMonitorBinding, request);
        return { json, text: `Group ${side.toUpperCase()} ${done} ${entitlement} of ${app.displayName ?? app.id}.` };
      },
    });
  }

  addAlertCommands(group);
}

function readGroup(text: string): EntitlementGroupJson {
  const side = text.toUpperCase();
  if (side !== 'A' && side !== 'B') {
    throw new UsageError(`${JSON.stringify(text)} is not a group: say a or b`);
  }
  return `ENTITLEMENT_GROUP_${side}`;
}

function sayMonitor({ id = '', displayName = '', enabled }: ConflictMonitorJson): string {
  return `Monitor ${id}, ${JSON.stringify(displayName)}, is ${enabled === true ? 'enabled' : 'disabled'}.`;
}
