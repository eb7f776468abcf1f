/**
 * `countersign import people|grants`: sends a CSV or Excel file to the server, streaming, or has its columns looked at first. What the file
 * means is decided there.
 */
import type { Command } from 'commander';
import { type Client, ClientError } from '../client/index.ts';
import { ImportService, type ImportJson } from '../gen/countersign/v1/imports_pb.js';
import { ColumnMappingService } from '../gen/countersign/v1/mapping_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { printInspection } from './import-columns.ts';
import { openInput } from './input-file.ts';
import { findApp } from './find.ts';
import { CommandFailure, type CommandIo, writeJson, writeLines } from './io.ts';
import { createProgress, formatBytes } from './progress.ts';
import { listSources } from './source.ts';

interface ImportOptions extends ConnectOptions {
  readonly app?: string;
  readonly allowRemovals?: boolean;
  readonly source?: string;
  readonly map?: readonly string[];
  readonly showMapping?: boolean;
  readonly saveMapping?: boolean;
  readonly sheet?: string;
}

/** What the server calls a source that is not named. */
const defaultSources = { people: 'people', grants: 'files' } as const;
/** Five rows of the longest kind take less. */
const inspectedBytes = 1024 * 1024;

/** Adds `import people` and `import grants`. */
export function addImportCommands(program: Command, io: CommandIo): void {
  const group = program.command('import').description('import people and grants from CSV or Excel files');

  withFile(
    group
      .command('people')
      .description('import people (columns: email, display_name, manager_email, department, job_title, employment_status)')
      .option('--source <name>', 'name of the source; people missing from a later file of the same source are disabled', 'people')
      .option('--allow-removals', 'import a file that disables more people of its source than the guard allows (a fifth by default)'),
  ).action(async (file: string, options: ImportOptions) => {
    await runImport(io, options, file, 'people', (client, upload) =>
      client.upload(ImportService.method.importPeople, { source: options.source ?? '', ...readingOf(options) }, upload),
    );
  });

  withFile(
    group
      .command('grants')
      .description(
        'import the accounts and grants of one app (columns: account, email, account_type, account_status, resource_type, resource, entitlement, granted_at, last_used_at)',
      )
      .requiredOption('--app <name>', 'display name of the app; it is created if it does not exist')
      .option('--source <name>', 'name of the source within the app; grants missing from a later file of the same source end')
      .option('--allow-removals', 'import a file that ends more grants of its source than the guard allows (a fifth by default)'),
  ).action(async (file: string, options: ImportOptions & { app: string }) => {
    await runImport(io, options, file, 'grants', (client, upload) =>
      client.upload(ImportService.method.importGrants, { app: options.app, source: options.source ?? '', ...readingOf(options) }, upload),
    );
  });
}

function withFile(command: Command): Command {
  return withConnection(command)
    .argument('<file>', 'CSV, plain or gzip, or Excel (.xlsx); - for standard input')
    .option(
      '--map <wanted=Column>',
      'fill a wanted column from another column (account=Login), or with one text for all rows (account_type==USER); repeat it for several',
      (value: string, before: readonly string[] = []) => [...before, value],
    )
    .option('--show-mapping', 'import nothing: show the columns of the file, a proposed mapping, and the first rows as they would be read')
    .option('--save-mapping', 'after the import, save --map for the next files of this source')
    .option('--sheet <name>', 'the sheet of an Excel file (default: its first)');
}

function readingOf(options: ImportOptions) {
  return { allowRemovals: options.allowRemovals === true, map: [...(options.map ?? [])], sheet: options.sheet ?? '' };
}

type Send = (client: Client, upload: Awaited<ReturnType<typeof openInput>>) => Promise<{ import?: ImportJson }>;

async function runImport(io: CommandIo, options: ImportOptions, file: string, what: 'people' | 'grants', send: Send): Promise<void> {
  if (options.saveMapping === true && (options.map ?? []).length === 0) {
    throw new CommandFailure('--save-mapping saves what --map sets: pass at least one --map');
  }
  const client = connect(io, options);
  // Before the file is opened: a wrong credential is found at once, not after gigabytes.
  await client.token();
  if (options.showMapping === true) {
    return showMapping(io, client, options, file, what);
  }
  const progress = createProgress(io, `sending ${what}`, formatBytes);
  let reply: { import?: ImportJson };
  try {
    const upload = await openInput(io, file, (read, size) => {
      progress.update(read, size, read === size ? `importing ${what}` : undefined);
    });
    reply = await send(client, upload);
  } catch (error) {
    throw error instanceof ClientError ? withAdvice(error) : error;
  } finally {
    progress.finish();
  }
  if (reply.import === undefined) {
    throw new CommandFailure('the server answered without the sync');
  }
  if (options.saveMapping === true) {
    await saveMapping(client, reply.import.connectorId ?? '', options.map ?? []);
  }
  printImport(io, options.json === true, what, reply.import);
}

/** The same refusal in words of the command line; its code, fields and request stay for --json. */
function withAdvice(error: ClientError): ClientError {
  if (error.message.includes('the header lacks')) {
    return new ClientError(`${error.message}\nTo see how its columns would be read, repeat the command with --show-mapping.`, error);
  }
  return new ClientError(error.message.replace('send it again with allow_removals=true', 'repeat it with --allow-removals'), error);
}

/** The source the file would be of, whose saved mapping holds for it; '' where its first file would make it. */
async function findSourceId(client: Client, kind: 'people' | 'grants', { app = '', source }: ImportOptions): Promise<string> {
  const name = (source ?? defaultSources[kind]).trim().toLowerCase();
  const named = (await listSources(client)).filter((one) => one.displayName?.toLowerCase() === name);
  if (kind === 'people' || named.length === 0) {
    return named.find((one) => (one.appId ?? '') === '')?.id ?? '';
  }
  const found = await findApp(client, app).catch((error: unknown) => {
    if (error instanceof CommandFailure) {
      return undefined;
    }
    throw error;
  });
  return named.find((one) => found !== undefined && one.appId === found.id)?.id ?? '';
}

async function showMapping(io: CommandIo, client: Client, options: ImportOptions, file: string, kind: 'people' | 'grants'): Promise<void> {
  const upload = await openInput(io, file, () => undefined, inspectedBytes);
  const connectorId = await findSourceId(client, kind, options);
  const request = { kind, map: [...(options.map ?? [])], sheet: options.sheet ?? '', connectorId };
  const found = await client.upload(ColumnMappingService.method.inspect, request, upload);
  if (options.json === true) {
    writeJson(io.stdout, found);
  } else {
    printInspection(io, found);
  }
}

/** Adds what was mapped for this file to what is kept for its source. */
async function saveMapping(client: Client, connectorId: string, map: readonly string[]): Promise<void> {
  const { columnMapping = {} } = await client.call(ColumnMappingService.method.get, { connectorId });
  const asked = map.map((text) => [text.slice(0, text.indexOf('=')).trim().toLowerCase(), text.slice(text.indexOf('=') + 1)]);
  await client.call(ColumnMappingService.method.set, {
    connectorId,
    columnMapping: { ...columnMapping, ...Object.fromEntries(asked) },
  });
}

function printImport(io: CommandIo, asJson: boolean, what: string, made: ImportJson): void {
  if (asJson) {
    writeJson(io.stdout, made);
    return;
  }
  const count = (value: string | number | undefined): string => Number(value ?? 0).toLocaleString('en');
  writeLines(
    io.stdout,
    `${count(made.rows)} rows of ${what}: ${count(made.added)} added, ${count(made.changed)} changed, ${count(made.removed)} removed, ${count(made.unchanged)} unchanged`,
  );
  const warnings = made.warnings ?? [];
  if (warnings.length > 0) {
    writeLines(
      io.stderr,
      `${count(made.warningCount)} warnings:`,
      ...warnings.map((one) => `  line ${one.line ?? '?'}${one.column ? `, ${one.column}` : ''}: ${one.reason ?? ''}`),
      ...(Number(made.warningCount) > warnings.length ? ['  ...'] : []),
    );
  }
}
