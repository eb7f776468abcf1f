/** Mode `service`: a connector that speaks to the server by itself is kept running. */
import { readFile } from 'node:fs/promises';
import { wrongBinary } from './check-files.ts';
import { readChildEnv } from './child-env.ts';
import { createPauses, refusedPause } from './pauses.ts';
import { type ChildEnd, runChild } from './run-child.ts';
import type { Runner } from './runner.ts';

/** Codes of gRPC that connectors end with where their credential or their source is no more (PERMISSION_DENIED, UNAUTHENTICATED). */
const refusals = [7, 16];

/** Starts the connector again and again, until the runner is stopped. */
export async function keepRunning(runner: Runner): Promise<void> {
  const { signal, log, sleep } = runner;
  const pauses = createPauses();
  while (!signal.aborted) {
    const began = performance.now();
    let isRefused = false;
    try {
      const { code, endedBy } = await runService(runner);
      isRefused = endedBy === '' && code !== null && refusals.includes(code);
      if (!signal.aborted) {
        log.warn({ code, endedBy: endedBy || undefined }, 'the connector ended');
      }
    } catch (error) {
      log.warn({ err: error }, 'the connector could not be started');
    }
    pauses.worked(performance.now() - began);
    if (!signal.aborted) {
      const pause = isRefused ? refusedPause : pauses.next();
      log.info({ seconds: pause / 1000 }, isRefused ? 'refused: the connector starts again later' : 'the connector starts again');
      await sleep(pause, signal);
    }
  }
}

async function runService({ config, signal, log, print, ownEnv }: Runner): Promise<ChildEnd> {
  const wrong = await wrongBinary(config.binary);
  if (wrong !== undefined) {
    throw new Error(`${config.binary} ${wrong}`);
  }
  const { host } = new URL(config.url);
  const env = {
    ...(config.ca !== '' && { SSL_CERT_FILE: config.ca }),
    ...(await readChildEnv(config, ownEnv)),
    BATON_CLIENT_ID: config.clientId,
    BATON_CLIENT_SECRET: await readSecret(config.clientSecretFile),
    ...(!config.clientId.endsWith(`@${host}/ccc`) && { BATON_C1_API_HOST: host }),
  };
  log.info({ binary: config.binary }, 'the connector starts');
  const { binary, args, folder, limits } = config;
  return runChild({ binary, args, env, folder: folder || '/', signal, residentBytes: limits.residentBytes, print });
}

/** Reads the secret of a credential. */
export async function readSecret(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).trim();
}
