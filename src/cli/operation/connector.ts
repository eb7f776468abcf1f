/** `countersign connector run`: runs a Baton connector beside the system that it reads. It speaks to the server as connectors do, not over the API. */
import type { Commands } from '../frame/commands.ts';
import { readDocument } from '../frame/read-document.ts';
import { UsageError } from '../frame/io.ts';
import { withJson } from '../frame/connect.ts';

/** Adds the `connector` commands. */
export function addConnectorCommands(group: Commands): void {
  group.run('run', {
    description: 'run a Baton connector: keep it running, or start it for each task (docs/sources.md)',
    shared: withJson,
    options: { '--config <file>': { text: 'JSON: which connector, how, and with which credential', needed: true } },
    act: async ({ config: file }, { io }) => {
      // Loaded when it is run: no other command logs or speaks gRPC.
      const { pino } = await import('pino');
      const { checkFiles, readRunnerConfig, runConnector, sleep } = await import('../../runner/index.ts');
      const { config, violations } = readRunnerConfig(await readDocument(io, file, 'what docs/sources.md says of the runner'));
      const all = config === undefined ? violations : await checkFiles(file, config);
      if (config === undefined || all.length > 0) {
        throw new UsageError(`${file} cannot be used:`, all);
      }
      const level = (label: string): { level: string } => ({ level: label });
      const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level } }, io.stdout);
      await runConnector({
        config,
        signal: io.signal,
        log,
        print: (piece) => io.stderr.write(piece),
        ownEnv: io.env,
        sleep,
      });
      log.info('stopped');
      return undefined;
    },
  });
}
