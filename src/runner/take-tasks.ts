/** Mode `once`: the runner takes the tasks itself, one at a time, and starts the connector for each. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, Code } from '@connectrpc/connect';
import type { BatonService, BatonServiceGetTaskResponse, Task } from '../gen/c1/connectorapi/baton/v1/baton_pb.js';
import { type Outcome, removeAccess, sync, type Work } from './carry-out.ts';
import { wrongBinary } from './check-files.ts';
import { holdTask } from './hold-task.ts';
import { describeHost, readHostId } from './host.ts';
import { createPauses, refusedPause } from './pauses.ts';
import type { Runner } from './runner.ts';
import { callOptions, createSpeaker, sentenceOf, troubleOf } from './speak.ts';
import { readSecret } from './keep-running.ts';

/** Codes after which the connector is not started again soon. */
const refusals: readonly number[] = [Code.PermissionDenied, Code.Unauthenticated];
/** A folder of a task that is so old is one that a kill left behind. */
const leftBehindMilliseconds = 7 * 3_600_000;

/** Takes tasks until the runner is stopped. */
export async function takeTasks(runner: Runner): Promise<void> {
  const { config, signal, log, sleep } = runner;
  await removeLeftBehind(config.folder);
  const hostId = await readHostId(config.folder);
  const { url, connectorUrl, clientId } = config;
  const speaker = createSpeaker({ url, connectorUrl, clientId, clientSecret: await readSecret(config.clientSecretFile) });
  const pauses = createPauses();
  const hello = await describeHost(runner, hostId);
  let isGreeted = false;
  try {
    while (!signal.aborted) {
      let pause: number;
      try {
        if (!isGreeted) {
          await speaker.client.hello(hello, { ...callOptions, signal });
          isGreeted = true;
          log.info({ hostId, url: connectorUrl }, 'the server knows this host');
        }
        const given = await speaker.client.getTask({ hostId }, { ...callOptions, signal });
        pauses.worked();
        pause = await answer(runner, speaker.client, hostId, given);
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        const isRefused = troubleOf(error) === 'REFUSED';
        pause = isRefused ? refusedPause : pauses.next();
        log.warn({ reason: sentenceOf(error), seconds: pause / 1000 }, isRefused ? 'the server refuses this host' : 'a call failed');
      }
      await sleep(pause, signal);
    }
  } finally {
    speaker.close();
  }
}

/** Does what the server answered; returns the pause before the next question. */
async function answer(
  runner: Runner,
  client: Client<typeof BatonService>,
  hostId: string,
  { task, nextPoll, nextHeartbeat }: BatonServiceGetTaskResponse,
): Promise<number> {
  if (task === undefined || task.taskType.case === 'none' || task.taskType.case === undefined) {
    return within(Number(nextPoll?.seconds ?? 15n), 1, 300) * 1000;
  }
  const own = { hostId, taskId: task.id };
  runner.log.info({ taskId: task.id, kind: task.taskType.case }, 'a task begins');
  const held = holdTask(runner, client, own, within(Number(nextHeartbeat?.seconds ?? 30n), 1, 60) * 1000);
  try {
    const outcome = await attempt({ runner, client, task: own, signal: held.signal }, task);
    if (held.isLost()) {
      return 1_000;
    }
    runner.log.info({ taskId: task.id, ...outcome }, outcome.code === 0 ? 'a task is done' : 'a task failed');
    await finish(runner, client, hostId, task.id, outcome);
    return refusals.includes(outcome.code) ? refusedPause : 1_000;
  } finally {
    await held.end();
  }
}

const within = (number: number, least: number, most: number): number => Math.min(most, Math.max(least, number));

async function attempt(work: Omit<Work, 'folder'>, { taskType }: Task): Promise<Outcome> {
  const { binary, folder: all } = work.runner.config;
  const wrong = await wrongBinary(binary);
  if (wrong !== undefined) {
    return { code: Code.FailedPrecondition, message: `The program of the connector ${wrong}` };
  }
  let folder = '';
  try {
    folder = await mkdtemp(join(all, 'task-'));
    switch (taskType.case) {
      case 'syncFull':
        return await sync({ ...work, folder }, taskType.value.storageEngine);
      case 'revoke':
        return await removeAccess({ ...work, folder }, taskType.value.grant);
      default:
        return { code: Code.Unimplemented, message: 'This runner has connectors sync and remove access alone.' };
    }
  } catch (error) {
    return { code: Code.Unknown, message: sentenceOf(error) };
  } finally {
    if (folder !== '') {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

/** Says the outcome; tried again while the server is away, since a lost word costs the task another run. */
async function finish(runner: Runner, client: Client<typeof BatonService>, hostId: string, taskId: string, { code, message }: Outcome) {
  const finalState = { case: code === 0 ? ('success' as const) : ('error' as const), value: {} };
  for (const pause of [1_000, 5_000, 25_000, undefined]) {
    try {
      await client.finishTask({ hostId, taskId, status: { code, message }, finalState }, callOptions);
      return;
    } catch (error) {
      runner.log.warn({ taskId, reason: sentenceOf(error) }, 'the end of a task could not be said');
      if (troubleOf(error) !== 'LATER' || pause === undefined || runner.signal.aborted) {
        return;
      }
      await runner.sleep(pause, runner.signal);
    }
  }
}

/** Removes the folders of tasks that a kill left behind. */
async function removeLeftBehind(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.startsWith('task-') && Date.now() - (await stat(path)).mtimeMs > leftBehindMilliseconds) {
      await rm(path, { recursive: true, force: true });
    }
  }
}
