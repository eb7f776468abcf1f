/**
 * `countersign import grants` for a file of several apps: it is split by its column of apps, and each app is imported by itself, with its own
 * sync and its own guard. An app that is refused does not hold up the others.
 */
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, ClientError } from '../client/index.ts';
import { ImportService, type ImportJson } from '../gen/countersign/v1/imports_pb.js';
import { type TextEncoding, textEncodings } from '../lib/text-encoding.ts';
import { type ImportOptions, mapOf, saveMapping, withAdvice } from './import-request.ts';
import { describeCounts, describeImport, formatCount, printWarnings } from './import-summary.ts';
import { openInput } from './input-file.ts';
import { CommandFailure, type CommandIo, UsageError, writeJson, writeLines } from './io.ts';
import { readTable } from './open-table.ts';
import { createProgress, formatBytes } from './progress.ts';
import { type AppPart, type SplitFile, splitByApp } from './split-apps.ts';

/** What became of the apps of a file. */
interface Outcome {
  readonly imports: { readonly app: string; readonly import: ImportJson }[];
  readonly refused: { readonly app: string; readonly error: ClientError }[];
  /** What ended it before all apps were sent. */
  failure: unknown;
  notSent: readonly string[];
}

/** Refusals that are about the file of one app: the next app may be fine. */
const statusesOfFile: readonly number[] = [400, 404, 409, 413, 415];
const namesTold = 50;

/** Imports a file of several apps. CommandFailure where one was refused, after the others were imported. */
export async function importApps(io: CommandIo, client: Client, options: ImportOptions, file: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-apps-'));
  // A process that is stopped may end before what waits here is removed in order.
  const remove = () => rmSync(folder, { recursive: true, force: true });
  io.signal.addEventListener('abort', remove);
  try {
    const split = await splitFile(io, options, file, folder);
    const outcome = await sendParts(io, client, options, split);
    print(io, options.json === true, split, outcome);
  } catch (error) {
    throw io.signal.aborted ? new CommandFailure('stopped; apps that were imported before stay imported') : error;
  } finally {
    io.signal.removeEventListener('abort', remove);
    await rm(folder, { recursive: true, force: true });
  }
}

async function splitFile(io: CommandIo, options: ImportOptions, file: string, folder: string): Promise<SplitFile> {
  const progress = createProgress(io, 'splitting by app', formatBytes);
  const encoding = encodingOf(options);
  const onBytes = (read: number, size: number) => progress.update(read, size);
  try {
    return await readTable(io, file, { sheet: options.sheet ?? '', ...(encoding && { encoding }), folder, onBytes }, (table) =>
      splitByApp(table, { column: options.appColumn, folder, signal: io.signal }),
    );
  } finally {
    progress.finish();
  }
}

const isEncoding = (text: string): boolean => /^\s*encoding\s*=/i.test(text);

/** The encoding that is asked for the file as a whole. */
function encodingOf(options: ImportOptions): TextEncoding | undefined {
  const asked = mapOf(options).find(isEncoding);
  const name = asked?.slice(asked.indexOf('=') + 1).trim();
  const known = textEncodings.find((one) => one.toLowerCase() === name?.toLowerCase());
  if (name !== undefined && known === undefined) {
    throw new UsageError(`the encoding ${JSON.stringify(name)} is none of ${textEncodings.join(', ')}`);
  }
  return known;
}

async function sendParts(io: CommandIo, client: Client, options: ImportOptions, { parts }: SplitFile): Promise<Outcome> {
  const outcome: Outcome = { imports: [], refused: [], failure: undefined, notSent: [] };
  const progress = createProgress(io, 'importing', formatCount);
  // The parts are UTF-8 whatever the file was, and whatever is kept for the source.
  const map = [...mapOf(options).filter((text) => !isEncoding(text)), 'encoding=UTF-8'];
  const kept = mapOf(options);
  try {
    for (const [index, part] of parts.entries()) {
      progress.update(index, parts.length, `importing ${part.name}`);
      try {
        io.signal.throwIfAborted();
        const made = await sendPart(io, client, { ...options, map }, part);
        outcome.imports.push({ app: part.name, import: made });
        if (options.saveMapping === true) {
          await saveMapping(client, made.connectorId ?? '', kept);
        }
      } catch (error) {
        if (error instanceof ClientError && statusesOfFile.includes(error.status) && outcome.imports.at(-1)?.app !== part.name) {
          outcome.refused.push({ app: part.name, error: withAdvice(await restoreErrorLines(error, part)) });
          continue;
        }
        outcome.failure = error;
        outcome.notSent = parts.slice(index).flatMap(({ name }) => (outcome.imports.at(-1)?.app === name ? [] : [name]));
        break;
      }
    }
  } finally {
    progress.finish();
  }
  return outcome;
}

async function sendPart(io: CommandIo, client: Client, options: ImportOptions, part: AppPart): Promise<ImportJson> {
  const request = {
    app: part.name,
    source: options.source ?? '',
    allowRemovals: options.allowRemovals === true,
    map: [...(options.map ?? [])],
  };
  const upload = await openInput(io, part.path, () => undefined);
  const reply = await client.upload(ImportService.method.importGrants, request, upload);
  if (reply.import === undefined) {
    throw new CommandFailure('the server answered without the sync');
  }
  return restoreLines(reply.import, part);
}

/** What the server says of lines of the part, said of the lines of the file. */
async function restoreLines(made: ImportJson, part: AppPart): Promise<ImportJson> {
  const lineOf = async (line: string | undefined): Promise<string> => String(await part.lineOf(Number(line ?? 0)));
  const restore = async <T extends { line?: string }>(notes: readonly T[] = []): Promise<T[]> =>
    Promise.all(notes.map(async (note) => ({ ...note, line: await lineOf(note.line) })));
  const { reading } = made;
  return {
    ...made,
    ...(made.warnings && { warnings: await restore(made.warnings) }),
    ...(reading && { reading: { ...reading, headerLine: await lineOf(reading.headerLine), skipped: await restore(reading.skipped) } }),
  };
}

async function restoreErrorLines(error: ClientError, part: AppPart): Promise<ClientError> {
  const restore = async (text: string, pattern: RegExp): Promise<string> => {
    const found = pattern.exec(text);
    const [all = '', before = '', line = ''] = found ?? [];
    return found === null
      ? text
      : `${text.slice(0, found.index)}${before}${await part.lineOf(Number(line))}${text.slice(found.index + all.length)}`;
  };
  const violations = await Promise.all(
    error.violations.map(async (one) => ({
      ...one,
      field: await restore(one.field, /^(line )(\d+)/),
      // Of two dates that contradict each other it names the other one's line.
      description: await restore(one.description, /(, and line )(\d+)(?= has dates )/),
    })),
  );
  const { status, code, requestId } = error;
  return new ClientError(await restore(error.message, /^(Nothing was imported: line )(\d+)/), { status, code, requestId, violations });
}

/** Says what was imported and what was not. CommandFailure, or what ended it, where an app was left out. */
function print(io: CommandIo, asJson: boolean, split: SplitFile, { imports, refused, failure, notSent }: Outcome): void {
  if (asJson) {
    writeJson(io.stdout, {
      appColumn: split.column,
      imports: imports.map((one) => one.import),
      refused: refused.map(({ app, error: { code, message, violations } }) => ({ app, code, message, violations })),
      notSent,
    });
  } else {
    printText(io, split, imports, refused);
  }
  if (refused.length === 0 && failure === undefined) {
    return;
  }
  const count = (names: readonly string[]) => (names.length === 1 ? '1 app' : `${formatCount(names.length)} apps`);
  const said = [`${formatCount(imports.length)} of ${count(split.parts.map(({ name }) => name))} imported`];
  if (refused.length > 0) {
    const names = refused.map(({ app }) => app);
    said.push(`${count(names)} refused, which ${names.length === 1 ? 'keeps' : 'keep'} what was there before: ${listNames(names)}`);
  }
  if (failure !== undefined) {
    const reason = failure instanceof Error ? failure.message : String(failure);
    said.push(`${count(notSent)} not imported, because it ended with: ${reason}${notSent.length > 0 ? `: ${listNames(notSent)}` : ''}`);
  }
  throw new CommandFailure(`${said.join('; ')}.`);
}

function printText(io: CommandIo, split: SplitFile, imports: Outcome['imports'], refused: Outcome['refused']): void {
  const { column, encoding, separator, headerLine, skipped, parts } = split;
  const form = [encoding, separator && `separated by ${separator}`, `header on line ${headerLine}`].filter((one) => one !== '');
  writeLines(
    io.stdout,
    `The column ${JSON.stringify(column)} names ${parts.length === 1 ? '1 app' : `${formatCount(parts.length)} apps`}; each is imported by itself.`,
    `Read as ${form.join(', ')}.`,
    ...skipped.map(({ line, text }) => `Skipped line ${line}: ${text}`),
  );
  for (const { app, import: made } of imports) {
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

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, namesTold).map((name) => JSON.stringify(name.slice(0, 200)));
  return `${shown.join(', ')}${names.length > shown.length ? `, and ${formatCount(names.length - shown.length)} more` : ''}`;
}
