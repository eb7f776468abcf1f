/** Things that all parts of a running runner share. */
import type { RunnerConfig } from './config.ts';
import type { Sleep } from './pauses.ts';

/** A logger, as far as the runner needs one. */
export interface RunnerLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** A runner. */
export interface Runner {
  readonly config: RunnerConfig;
  /** Ends it in order. */
  readonly signal: AbortSignal;
  readonly log: RunnerLog;
  /** Takes what connectors print. */
  readonly print: (piece: Buffer) => void;
  /** Environment of the runner itself. */
  readonly ownEnv: Readonly<Record<string, string | undefined>>;
  readonly sleep: Sleep;
}
