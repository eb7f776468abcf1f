/**
 * Input and output of a command, and the form of results and errors: as text for people, or as JSON with --json. What is shown is decided by the
 * commands.
 */
import type { Readable, Writable } from 'node:stream';
import { ClientError } from '../../client/error.ts';
import { ConfigError } from '../../config/read-config.ts';
import { sayDatabase } from '../../lib/database-errors/say-database.ts';
import { AppError, type FieldViolation } from '../../errors.ts';
import { isCompiled, programFolder } from '../../lib/installation.ts';
import { showHidden, showUnseen, toVisible, toVisibleJson } from '../../lib/names/visible-text.ts';

/** Input and output of a command; tests pass their own. */
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
  /** All that is wrong with a file, with its paths. */
  readonly violations: readonly FieldViolation[];
  constructor(message: string, violations: readonly FieldViolation[] = []) {
    super(message);
    this.violations = violations;
  }
}

/** A failure whose sentence is all there is to say: exit code 1, unless 1 means something else of the command. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Writes one JSON document, indented, with a newline. */
export function writeJson(to: Writable, value: unknown): void {
  to.write(`${toVisibleJson(value, 2)}\n`);
}

/** Writes lines. */
export function writeLines(to: Writable, ...lines: readonly string[]): void {
  // Names that others wrote must not move the cursor.
  to.write(`${toVisible(lines.join('\n'), true)}\n`);
}

/** Rows under headings, columns as wide as their widest cell. */
export function formatTable(headings: readonly string[], cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map((cell) => showHidden(toVisible(cell))));
  const widths = headings.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (texts: readonly string[]): string =>
    texts
      .map((cell, column) => (column === texts.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(headings), ...rows.map(line)].join('\n');
}

/** Shows an error on standard error and says the exit code it stands for. */
export function reportError(io: CommandIo, error: unknown, asJson: boolean): number {
  const { code, violations, requestId, exitCode, ...said } = explain(error);
  const message = showUnseen(said.message);
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
  readonly violations: readonly FieldViolation[];
  readonly requestId: string;
  readonly exitCode: number;
}

function explain(error: unknown): Explained {
  const plain = { violations: [], requestId: '', exitCode: 1 };
  if (error instanceof ClientError) {
    return { ...plain, code: error.code, message: error.message, violations: error.violations, requestId: error.requestId };
  }
  if (error instanceof AppError) {
    return { ...plain, code: error.code, message: sayToOperator(error), violations: error.violations ?? [] };
  }
  if (error instanceof UsageError || error instanceof ConfigError) {
    const violations = error instanceof UsageError ? error.violations : [];
    return { ...plain, code: 'USAGE', message: error.message, violations, exitCode: 2 };
  }
  const code = systemCode(error);
  const message = `${error instanceof Error ? error.message : String(error)}${code === 'ERR_MODULE_NOT_FOUND' && !isCompiled ? unready : ''}`;
  return error instanceof CommandFailure ? { ...plain, code: 'FAILED', message, exitCode: error.exitCode } : { ...plain, code, message };
}

/** What to do about a clone whose code was not generated, or for another release: packages were installed without their scripts, or not anew. */
const unready = `. This clone is not ready for its release: run "npm ci" in ${programFolder}, without --ignore-scripts, and start again`;

/** The message of an error; where clients would not get more than that the database failed, with what it said. */
function sayToOperator(error: AppError): string {
  const words = error.code === 'INTERNAL' || error.code === 'UNAVAILABLE' ? sayDatabase(error) : undefined;
  if (words === undefined || error.message.includes(words)) {
    return error.message;
  }
  const head = error.code === 'INTERNAL' ? 'This failed' : error.message.replace(/\.$/, '');
  return `${head}: ${words}.`;
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
