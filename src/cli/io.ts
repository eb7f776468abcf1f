/**
 * What a command reads from and writes to, and how results and errors are shown: as text for people, or as JSON with --json.
 * What is shown is decided by the commands.
 */
import type { Readable, Writable } from 'node:stream';
import { ClientError } from '../client/error.ts';
import { ConfigError } from '../config.ts';
import { AppError } from '../errors.ts';

/** Where a command's input and output go; tests pass their own. */
export interface CommandIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { isTTY?: boolean };
  readonly stdout: Writable & { isTTY?: boolean };
  readonly stderr: Writable & { isTTY?: boolean; columns?: number };
  /** Aborted by Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
}

/** Wrong usage found after parsing: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A failure whose sentence is all there is to say: exit code 1. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** Writes one JSON document, indented, with a newline. */
export function writeJson(to: Writable, value: unknown): void {
  to.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Writes lines. */
export function writeLines(to: Writable, ...lines: readonly string[]): void {
  to.write(`${lines.join('\n')}\n`);
}

/** Rows under headings, columns as wide as their widest cell. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === cells.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(headings), ...rows.map(line)].join('\n');
}

/** Shows an error on standard error and says the exit code it stands for. */
export function reportError(io: CommandIo, error: unknown, asJson: boolean): number {
  const { code, message, violations, requestId, exitCode } = explain(error);
  if (asJson) {
    writeJson(io.stderr, {
      error: { code, message, ...(violations.length > 0 ? { violations } : {}), ...(requestId === '' ? {} : { requestId }) },
    });
    return exitCode;
  }
  const shown = violations.filter((one) => !message.includes(one.description));
  writeLines(io.stderr, `countersign: ${message}`, ...shown.map((one) => `  ${one.field}: ${one.description}`));
  if (requestId !== '' && code === 'INTERNAL') {
    writeLines(io.stderr, `  request ${requestId}`);
  }
  return exitCode;
}

interface Explained {
  readonly code: string;
  readonly message: string;
  readonly violations: readonly { field: string; description: string }[];
  readonly requestId: string;
  readonly exitCode: number;
}

function explain(error: unknown): Explained {
  const plain = { violations: [], requestId: '', exitCode: 1 };
  if (error instanceof ClientError) {
    return { ...plain, code: error.code, message: error.message, violations: error.violations, requestId: error.requestId };
  }
  if (error instanceof AppError) {
    return { ...plain, code: error.code, message: error.message, violations: error.violations ?? [] };
  }
  if (error instanceof UsageError || error instanceof ConfigError) {
    return { ...plain, code: 'USAGE', message: error.message, exitCode: 2 };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { ...plain, code: error instanceof CommandFailure ? 'FAILED' : systemCode(error), message };
}

function systemCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'INTERNAL';
}

/** A count as people read it; 64-bit ones come as text. */
export function count(value: string | number | undefined): string {
  return Number(value ?? 0).toLocaleString('en');
}

/** The values of an option that may be repeated, for commander. */
export function collect(value: string, all: string[] = []): string[] {
  return [...all, value];
}
