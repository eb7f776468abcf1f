/** `countersign conflict alerts|alert|exempt|withdraw`: what monitors found, and accepting it, through the API. */
import { type ConflictAlertJson, ConflictAlertService } from '../../gen/countersign/v1/conflicts_pb.js';
import { type Commands, formatFacts } from '../frame/commands.ts';
import { findAppId, findPersonId } from '../frame/find.ts';
import { UsageError } from '../frame/io.ts';

const operands = { '<alert>': 'id of the alert' } as const;

/** Adds the commands about alerts to the group `conflict`. */
export function addAlertCommands(group: Commands): void {
  group.list('alerts', {
    description: 'list alerts',
    options: {
      '--monitor <id>': { text: 'only those of this monitor', field: 'monitorId' },
      '--state <state>': { text: 'only those that are active, exempted or resolved', parse: readState },
      '--user <person>': { text: 'only those of this person: mail address or id', field: 'userId', find: findPersonId },
      '--app <app>': { text: 'only those with access in this app: name or id', field: 'appId', find: findAppId },
      '--query <text>': 'only those with these words in the name of person, account or monitor',
    },
    method: ConflictAlertService.method.list,
    columns: { ID: 'id', STATE: 'state', SINCE: 'activatedAt', WHO: 'principalDisplayName', MONITOR: 'monitorDisplayName' },
  });

  group.call('alert', {
    description: 'show one alert and the grants that make it',
    operands,
    method: ConflictAlertService.method.get,
    text: ({ conflictAlert: alert = {}, grants = [] }) => {
      const { exemption } = alert;
      return [
        ...formatFacts({
          who: alert.principalDisplayName ?? '',
          monitor: alert.monitorDisplayName ?? '',
          state: sayState(alert),
          generation: String(alert.generation ?? 0),
          since: alert.activatedAt ?? '',
          exempted: exemption && `${exemption.until === undefined ? '' : `until ${exemption.until}: `}${exemption.reason ?? ''}`,
        }),
        ...grants.map((one) => `grant       ${one.appId}/${one.appUserId}/${one.appEntitlementId}`),
      ];
    },
  });

  group.call('exempt', {
    description: 'accept an active alert, for a reason',
    operands,
    options: {
      '--reason <text>': { text: 'why the conflict is accepted', needed: true },
      '--until <time>': 'when that ends, such as 2027-01-31T00:00:00Z (default: never)',
    },
    method: ConflictAlertService.method.exempt,
    text: sayAlert,
  });

  group.call('withdraw', {
    description: 'withdraw an exemption; the alert is active again',
    operands,
    method: ConflictAlertService.method.withdraw,
    text: sayAlert,
  });
}

function readState(text: string): string {
  if (!['active', 'exempted', 'resolved'].includes(text.toLowerCase())) {
    throw new UsageError(`--state ${JSON.stringify(text)} is none of active, exempted, resolved`);
  }
  return text;
}

function sayState({ state }: ConflictAlertJson): string {
  return String(state ?? '').replace('CONFLICT_ALERT_STATE_', '');
}

function sayAlert(alert: ConflictAlertJson): string {
  return `The alert of ${alert.principalDisplayName ?? ''} is ${sayState(alert)}.`;
}
