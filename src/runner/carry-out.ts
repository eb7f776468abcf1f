/** Carrying out a task with the connector: a sync writes a file, which is sent; a removal names a grant of the last file. */
import { copyFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { WireType } from '@bufbuild/protobuf/wire';
import { type Client, Code } from '@connectrpc/connect';
import type { BatonService } from '../gen/c1/connectorapi/baton/v1/baton_pb.js';
import { readOne } from '../lib/c1z/wire.ts';
import { hideSecrets, readChildEnv } from './child-env.ts';
import { type ChildEnd, runChild, sizeOf } from './run-child.ts';
import type { Runner } from './runner.ts';
import { sentenceOf, troubleOf } from './speak.ts';
import { type OwnTask, uploadFile, uploadLog } from './upload.ts';

/** Outcome of a task: the code of gRPC, 0 for success, and a sentence. */
export interface Outcome {
  readonly code: number;
  readonly message: string;
}

/** A task that is being carried out. */
export interface Work {
  readonly runner: Runner;
  readonly client: Client<typeof BatonService>;
  readonly task: OwnTask;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Folder of this task alone. */
  readonly folder: string;
}

const done: Outcome = { code: 0, message: '' };
const lastFile = 'last.c1z';
/** Pauses before a second and a third try of an upload. */
const uploadPauses = [1_000, 5_000];

/** Has the connector write a file, and sends its log and the file. The file is kept for removals. */
export async function sync(work: Work, storageEngine: string): Promise<Outcome> {
  const { runner, client, task, signal, folder } = work;
  const file = join(folder, 'sync.c1z');
  const { end, env } = await runOnce(work, ['-f', file], { ...(storageEngine !== '' && { BATON_STORAGE_ENGINE: storageEngine }) });
  // Before the file: what the log says of it counts when it is read.
  const unsent = await sendLog(work, end, env);
  const failure = explain(end, env, runner) ?? unsent;
  if (failure !== undefined) {
    return failure;
  }
  const bytes = await sizeOf(file);
  if (bytes === 0 || bytes > runner.config.limits.fileBytes) {
    return bytes === 0 ? { code: Code.Unknown, message: 'The connector wrote no file.' } : tooLarge(runner);
  }
  const refused = await trying(work, () => uploadFile(client, task, file, signal));
  if (refused !== undefined) {
    return refused;
  }
  await rename(file, join(runner.config.folder, lastFile));
  runner.log.info({ taskId: task.taskId, bytes }, 'the file of a sync was sent');
  return done;
}

/** Has the connector remove a grant, a c1.connector.v2.Grant. */
export async function removeAccess(work: Work, grant: Uint8Array): Promise<Outcome> {
  const id = readOne(grant, 3, WireType.LengthDelimited, (reader) => reader.string()) ?? '';
  if (id === '') {
    return { code: Code.InvalidArgument, message: 'The grant has no id.' };
  }
  // A copy: the connector may write to it.
  const file = join(work.folder, 'revoke.c1z');
  try {
    await copyFile(join(work.runner.config.folder, lastFile), file);
  } catch {
    return { code: Code.FailedPrecondition, message: 'The runner has no file of an earlier sync, which a removal needs.' };
  }
  const { end, env } = await runOnce(work, ['-f', file, '--provisioning', '--revoke-grant', id], {});
  await sendLog(work, end, env);
  return explain(end, env, work.runner) ?? done;
}

async function runOnce({ runner, signal, folder }: Work, args: readonly string[], more: Readonly<Record<string, string>>) {
  const { config, ownEnv, print } = runner;
  // What it leaves behind goes with the folder.
  const env = { ...(await readChildEnv(config, ownEnv)), ...more };
  const { residentBytes, milliseconds, fileBytes } = config.limits;
  const end = await runChild({
    binary: config.binary,
    args: [...args, ...config.args],
    env: { ...env, ...(config.env['TMPDIR'] === undefined && { TMPDIR: folder }) },
    folder,
    signal,
    milliseconds,
    residentBytes,
    file: { path: args[1] as string, bytes: fileBytes },
    print,
  });
  return { end, env };
}

/** Sends the log, without what is secret; says why it could not be sent. */
async function sendLog(work: Work, { log }: ChildEnd, env: Readonly<Record<string, string>>): Promise<Outcome | undefined> {
  return trying(work, () => uploadLog(work.client, work.task, hideSecrets(log.text(), env), work.signal));
}

/** Tries an upload three times; says why it failed for good. */
async function trying({ runner, signal }: Work, upload: () => Promise<void>): Promise<Outcome | undefined> {
  for (const pause of [...uploadPauses, undefined]) {
    try {
      signal.throwIfAborted();
      await upload();
      return undefined;
    } catch (error) {
      const trouble = troubleOf(error);
      const message = `The upload failed: ${sentenceOf(error)}`;
      runner.log.warn({ reason: sentenceOf(error) }, 'an upload failed');
      if (signal.aborted || trouble !== 'LATER' || pause === undefined) {
        return { code: trouble === 'WRONG' ? Code.InvalidArgument : Code.Unavailable, message };
      }
      await runner.sleep(pause, signal);
    }
  }
  return undefined;
}

const mebibytes = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MiB`;

const tooLarge = ({ config }: Runner): Outcome => ({
  code: Code.ResourceExhausted,
  message: `The file of the connector is larger than ${mebibytes(config.limits.fileBytes)}.`,
});

/** Says why a connector failed; undefined where it did not. */
function explain({ code, endedBy, log }: ChildEnd, env: Readonly<Record<string, string>>, runner: Runner): Outcome | undefined {
  const { milliseconds, residentBytes } = runner.config.limits;
  switch (endedBy) {
    case 'STOP':
      return { code: Code.Unavailable, message: 'The runner was stopped.' };
    case 'TIME':
      return { code: Code.DeadlineExceeded, message: `The connector took longer than ${milliseconds / 60_000} minutes.` };
    case 'MEMORY':
      return { code: Code.ResourceExhausted, message: `The connector used more than ${mebibytes(residentBytes)} of memory.` };
    case 'FILE':
      return tooLarge(runner);
    case '':
      return code === 0 ? undefined : { code: asGrpc(code), message: `${sayEnd(code)}: ${hideSecrets(log.lastLine(), env).slice(0, 500)}` };
  }
}

const sayEnd = (code: number | null): string =>
  code === null ? 'The connector was killed or did not start' : `The connector ended with exit code ${code}`;

/** Connectors end with a code of gRPC; older ones with 1 for whatever went wrong. */
const asGrpc = (code: number | null): number => (code !== null && code > 1 && code <= 16 ? code : Code.Unknown);
