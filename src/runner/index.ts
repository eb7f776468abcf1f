/** The runner of connectors (`countersign connector run`): a program of its own, which the server knows as a connector. */
import { readFile } from 'node:fs/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { keepRunning } from './keep-running.ts';
import type { Runner } from './runner.ts';
import { takeTasks } from './take-tasks.ts';

export { checkFiles } from './check-files.ts';
export { readRunnerConfig } from './config.ts';
export { sleep } from './pauses.ts';

/** Runs until its signal says to stop, and returns once the connector has ended. */
export async function runConnector(runner: Runner): Promise<void> {
  if (runner.config.mode === 'service') {
    await keepRunning(runner);
    return;
  }
  const more = runner.config.ca === '' ? [] : [await readFile(runner.config.ca, 'utf8')];
  // Those of the system, as connectors trust them.
  setDefaultCACertificates([...new Set([...getCACertificates('default'), ...getCACertificates('system'), ...more])]);
  await takeTasks(runner);
}
