/** Following a removal through its connector: it is sent, carried out, tried again, or it failed. In the transaction of the connector's task. */
import type { Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { type ConnectorTask, type HostRow, repeatRemoval, type TaskEnd } from '../../../inventory/connector-tasks/index.ts';
import { endProvision } from '../../tasks/index.ts';
import { findNextState, findRevocation, lockRevocation, type RevocationRow, updateState } from '../record/index.ts';
import { planSendings } from './plan.ts';
import { judgeEnd, type RemovalEnd } from './store-states.ts';
import { findRevocationOfSending, lockSendingOfTask, moveSending, type SendingFacts } from './store.ts';

/** Longest note. */
const maxNote = 2_000;

/** Names a connector and where it runs: "connector baton-demo 1.0.0 on host a.example". */
function nameConnector(host: NonNullable<SendingFacts['host']>): string {
  const program = host.package.slice(host.package.lastIndexOf('/') + 1);
  return `connector ${[program, host.packageVersion].filter((part) => part !== '').join(' ')} on host ${host.hostname || host.hostId}`.replace(
    '  ',
    ' ',
  );
}

/** Members of the events about what connectors do. */
function factsOf({ reviewId, appId, entitlementId, accountId, sourceId }: RevocationRow, taskId: string, host: SendingFacts['host']) {
  return {
    reviewId,
    appId,
    entitlementId,
    accountId,
    connectorId: sourceId,
    connectorTaskId: taskId,
    hostId: host?.hostId ?? '',
    hostname: host?.hostname ?? '',
    program: host?.package ?? '',
    version: host?.packageVersion ?? '',
  };
}

/** Notes that a removal is handed to a host; false where the removal went on without its connector. */
export async function noteSent(context: Context, task: ConnectorTask, host: HostRow): Promise<boolean> {
  const id = await findRevocationOfSending(context, task.id);
  const row = id === undefined ? undefined : await findRevocation(context, id);
  if (row?.state !== 'IN_PROGRESS' || !(await moveSending(context, row.id, 'SEND', { host }))) {
    return false;
  }
  await recordEvent(context, {
    kind: 'revocation.sent',
    targetId: row.id,
    data: { ...factsOf(row, task.id, host), attempt: task.attempts },
  });
  return true;
}

const isAlready = (annotations: readonly string[]): boolean => annotations.includes('GrantAlreadyRevoked');

function endOf(end: TaskEnd): RemovalEnd {
  if (end.kind === 'SILENT') {
    return end;
  }
  if (end.kind === 'SUCCESS' || isAlready(end.annotations)) {
    return { kind: 'SUCCESS', wasGone: isAlready(end.annotations) };
  }
  return { kind: 'ERROR', code: end.code, words: end.message };
}

/** Follows the end of a removal's task. */
export async function noteEnded(context: Context, task: ConnectorTask, said: TaskEnd): Promise<void> {
  const id = await findRevocationOfSending(context, task.id);
  if (id === undefined) {
    return;
  }
  await lockRevocation(context, id);
  const [sending, row] = [await lockSendingOfTask(context, task.id), await findRevocation(context, id)];
  if (sending?.state !== 'SENT' || row === undefined) {
    return;
  }
  const end = endOf(said);
  const verdict = judgeEnd(end, sending.failures);
  const host = row.sending ?? undefined;
  const facts = factsOf(row, task.id, host);
  if (verdict.event === 'AGAIN') {
    const taskId = newId(context.now);
    await repeatRemoval(context, task.id, taskId, new Date(context.now.getTime() + verdict.afterMs));
    await moveSending(context, id, 'AGAIN', { taskId, failures: sending.failures + 1 });
    return;
  }
  await moveSending(context, id, verdict.event);
  const isDone = verdict.event === 'SUCCEED';
  const words = isDone ? (host === undefined ? 'its connector' : nameConnector(host)) : verdict.words;
  if (isDone) {
    const wasGone = end.kind === 'SUCCESS' && end.wasGone;
    await recordEvent(context, { kind: 'revocation.carried_out', targetId: id, data: { ...facts, wasGone } });
  }
  await tell(context, row, isDone, words.slice(0, maxNote));
  if (!isDone) {
    const data = { ...facts, taskId: row.revokeTaskId, comment: words, from: row.state };
    await recordEvent(context, { kind: 'revocation.failed', targetId: id, data });
  }
}

/** Notes in the task of the removal what was said, and moves the removal, unless somebody else did meanwhile or another step follows. */
async function tell(context: Context, row: RevocationRow, isDone: boolean, note: string): Promise<void> {
  if (row.state !== 'IN_PROGRESS') {
    return;
  }
  const turn = row.revokeTaskId === '' ? (isDone ? 'CLAIM' : 'FAIL') : await endProvision(context, row.revokeTaskId, isDone, note);
  if (turn === 'STEP') {
    await planSendings(context, [row.id]);
    return;
  }
  await updateState(context, row.id, row.state, { state: findNextState(row.state, turn) ?? row.state, note, isClaim: isDone });
}
