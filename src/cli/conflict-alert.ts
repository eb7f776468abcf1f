/** `countersign conflict alerts|alert|exempt|withdraw`: what monitors found, and accepting it, through the API. */
import type { Command } from 'commander';
import {
  type ConflictAlertJson,
  ConflictAlertService,
  type ConflictAlertServiceListRequestJson,
} from '../gen/countersign/v1/conflicts_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { findApp, findPerson } from './find.ts';
import { type CommandIo, UsageError, writeJson, writeLines } from './io.ts';
import { listAll, showList } from './list.ts';

interface ListOptions extends ConnectOptions {
  readonly monitor?: string;
  readonly state?: string;
  readonly user?: string;
  readonly app?: string;
  readonly query?: string;
}

const states = ['ACTIVE', 'EXEMPTED', 'RESOLVED'] as const;

/** Adds the commands about alerts to the group `conflict`. */
export function addAlertCommands(group: Command, io: CommandIo): void {
  withConnection(group.command('alerts').description('list alerts'))
    .option('--monitor <id>', 'only those of this monitor')
    .option('--state <state>', 'only those that are active, exempted or resolved')
    .option('--user <person>', 'only those of this person: mail address or id')
    .option('--app <app>', 'only those with access in this app: name or id')
    .option('--query <text>', 'only those with these words in the name of person, account or monitor')
    .action(async (options: ListOptions) => {
      const alerts = await listAll(connect(io, options).pages(ConflictAlertService.method.list, await readFilter(io, options)));
      showList(io, options, alerts, ['ID', 'STATE', 'SINCE', 'WHO', 'MONITOR'], (one) => [
        one.id ?? '',
        stateOf(one),
        one.activatedAt ?? '',
        one.principalDisplayName ?? '',
        one.monitorDisplayName ?? '',
      ]);
    });

  withConnection(group.command('alert').description('show one alert and the grants that make it'))
    .argument('<alert>', 'id of the alert')
    .action((id: string, options: ConnectOptions) => show(io, id, options));

  withConnection(group.command('exempt').description('accept an active alert, for a reason'))
    .argument('<alert>', 'id of the alert')
    .requiredOption('--reason <text>', 'why the conflict is accepted')
    .option('--until <time>', 'when that ends, such as 2027-01-31T00:00:00Z (default: never)')
    .action(async (id: string, options: ConnectOptions & { readonly reason: string; readonly until?: string }) => {
      const until = readMoment(options.until);
      const request = { id, reason: options.reason, ...(until === undefined ? {} : { until }) };
      const { conflictAlert = {} } = await connect(io, options).call(ConflictAlertService.method.exempt, request);
      say(io, options, conflictAlert);
    });

  withConnection(group.command('withdraw').description('withdraw an exemption; the alert is active again'))
    .argument('<alert>', 'id of the alert')
    .action(async (id: string, options: ConnectOptions) => {
      const { conflictAlert = {} } = await connect(io, options).call(ConflictAlertService.method.withdraw, { id });
      say(io, options, conflictAlert);
    });
}

const stateOf = ({ state }: ConflictAlertJson): string => String(state ?? '').replace('CONFLICT_ALERT_STATE_', '');

async function readFilter(io: CommandIo, options: ListOptions): Promise<ConflictAlertServiceListRequestJson> {
  const client = connect(io, options);
  const { monitor, state, user, app, query } = options;
  const wanted = states.find((one) => one === state?.toUpperCase());
  if (state !== undefined && wanted === undefined) {
    throw new UsageError(`--state ${JSON.stringify(state)} is none of active, exempted, resolved`);
  }
  return {
    ...(monitor === undefined ? {} : { monitorId: monitor }),
    ...(wanted === undefined ? {} : { state: `CONFLICT_ALERT_STATE_${wanted}` as const }),
    ...(user === undefined ? {} : { userId: (await findPerson(client, user)).id }),
    ...(app === undefined ? {} : { appId: (await findApp(client, app)).id }),
    ...(query === undefined ? {} : { query }),
  };
}

function readMoment(text: string | undefined): string | undefined {
  if (text === undefined) {
    return undefined;
  }
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) {
    throw new UsageError(`--until ${JSON.stringify(text)} is not a time such as 2027-01-31T00:00:00Z`);
  }
  return at.toISOString();
}

function say(io: CommandIo, options: ConnectOptions, alert: ConflictAlertJson): void {
  if (options.json === true) {
    writeJson(io.stdout, alert);
    return;
  }
  writeLines(io.stdout, `The alert of ${alert.principalDisplayName ?? ''} is ${stateOf(alert)}.`);
}

async function show(io: CommandIo, id: string, options: ConnectOptions): Promise<void> {
  const answer = await connect(io, options).call(ConflictAlertService.method.get, { id });
  if (options.json === true) {
    writeJson(io.stdout, answer);
    return;
  }
  const { conflictAlert = {}, grants = [] } = answer;
  const { exemption } = conflictAlert;
  writeLines(
    io.stdout,
    `who         ${conflictAlert.principalDisplayName ?? ''}`,
    `monitor     ${conflictAlert.monitorDisplayName ?? ''}`,
    `state       ${stateOf(conflictAlert)}`,
    `generation  ${conflictAlert.generation ?? 0}`,
    `since       ${conflictAlert.activatedAt ?? ''}`,
    ...(exemption === undefined
      ? []
      : [`exempted    ${exemption.until === undefined ? '' : `until ${exemption.until}: `}${exemption.reason ?? ''}`]),
    ...grants.map((one) => `grant       ${one.appId}/${one.appUserId}/${one.appEntitlementId}`),
  );
}
