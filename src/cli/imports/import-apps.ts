/** Summary of `countersign import grants` for a file of several apps: what was imported of each, and which were refused. */
import { ClientError, readCode } from '../../client/index.ts';
import type { ImportedAppJson, ImportJson, ImportServiceImportGrantsResponseJson } from '../../gen/countersign/v1/imports_pb.js';
import { withAdvice } from './import-request.ts';
import { describeCounts, describeImport, describeReading, formatCount, printWarnings } from './import-summary.ts';
import { CommandFailure, type CommandIo, writeJson, writeLines } from '../frame/io.ts';

const maxNamesTold = 50;

interface Refused {
  readonly app: string;
  readonly error: ClientError;
}

/** Prints the outcome for each app. CommandFailure where one was refused. */
export function printApps(io: CommandIo, asJson: boolean, reply: ImportServiceImportGrantsResponseJson): void {
  const { apps = [], appColumn = '' } = reply;
  const imports = apps.flatMap(({ app = '', import: made }) => (made === undefined ? [] : [{ app, made }]));
  const refused = apps.flatMap(readRefusal);
  if (asJson) {
    writeJson(io.stdout, {
      appColumn,
      imports: imports.map(({ made }) => made),
      refused: refused.map(({ app, error: { code, message, violations } }) => ({ app, code, message, violations })),
    });
  } else {
    printText(io, reply, imports, refused);
  }
  if (refused.length > 0) {
    const names = refused.map(({ app }) => app);
    throw new CommandFailure(
      `${formatCount(imports.length)} of ${countApps(apps)} imported; ${countApps(names)} refused, which ${names.length === 1 ? 'keeps' : 'keep'} what was there before: ${listNames(names)}.`,
    );
  }
}

function readRefusal({ app = '', refusal }: ImportedAppJson): Refused[] {
  if (refusal === undefined) {
    return [];
  }
  const { code = '', message = '', violations = [] } = refusal;
  const told = violations.map(({ field = '', description = '' }) => ({ field, description }));
  return [{ app, error: withAdvice(new ClientError(message, { status: 0, code: readCode(code), violations: told })) }];
}

function printText(
  io: CommandIo,
  { apps = [], appColumn, reading = {} }: ImportServiceImportGrantsResponseJson,
  imports: readonly { readonly app: string; readonly made: ImportJson }[],
  refused: readonly Refused[],
): void {
  writeLines(
    io.stdout,
    `The column ${JSON.stringify(appColumn)} names ${countApps(apps)}; each is imported by itself.`,
    ...describeReading(reading),
  );
  for (const { app, made } of imports) {
    const about = describeImport(made).filter((line) => !line.startsWith('Read as ') || line.includes('preset'));
    writeLines(io.stdout, `${JSON.stringify(app)}: ${describeCounts(made, 'grants')}`, ...about.map((line) => `  ${line}`));
    printWarnings(io, made);
  }
  for (const { app, error } of refused) {
    const violations = error.violations.filter((one) => !error.message.includes(one.description));
    writeLines(
      io.stderr,
      `${JSON.stringify(app)} was refused: ${error.message}`,
      ...violations.map((one) => `  ${one.field}: ${one.description}`),
    );
  }
  writeLines(io.stdout, 'Apps that this file does not name keep what they have.');
}

function countApps(apps: readonly unknown[]): string {
  return apps.length === 1 ? '1 app' : `${formatCount(apps.length)} apps`;
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, maxNamesTold).map((name) => JSON.stringify(name.slice(0, 200)));
  return `${shown.join(', ')}${names.length > shown.length ? `, and ${formatCount(names.length - shown.length)} more` : ''}`;
}
