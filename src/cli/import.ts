/**
 * `countersign import people|grants`: sends a CSV or Excel file to the server, streaming, or has its columns looked at first. What the file
 * means is decided there.
 */
import type { Command } from 'commander';
import { type Client, ClientError } from '../client/index.ts';
import { ImportService, type ImportJson } from '../gen/countersign/v1/imports_pb.js';
import { ColumnMappingService } from '../gen/countersign/v1/mapping_pb.js';
import { isAppColumn } from './app-column.ts';
import { connect, withConnection } from './connect.ts';
import { importApps } from './import-apps.ts';
import { printInspection } from './import-columns.ts';
import { type ImportOptions, mapOf, readingOf, saveMapping, withAdvice } from './import-request.ts';
import { openInput } from './input-file.ts';
import { findApp } from './find.ts';
import { describeCounts, describeImport, printWarnings } from './import-summary.ts';
import { CommandFailure, type CommandIo, UsageError, writeJson, writeLines } from './io.ts';
import { createProgress, formatBytes } from './progress.ts';
import { listSources } from './source.ts';

/** What the server calls a source that is not named. */
const defaultSources = { people: 'people', grants: 'files' } as const;
/** So much is sent to have its values counted. */
const inspectedBytes = 16 * 1024 * 1024;

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
        'import the accounts and grants of one app, or of each app that a column of the file names (columns: account, email, account_type, account_status, resource_type, resource, entitlement, granted_at, last_used_at)',
      )
      .option('--app <name>', 'display name of the app; it is created if it does not exist (default: the file has a column of apps)')
      .option(
        '--app-column <column>',
        'the column that names the app of each row; every app is imported by itself (default: found by its name)',
      )
      .option('--source <name>', 'name of the source within the app; grants missing from a later file of the same source end')
      .option('--allow-removals', 'import a file that ends more grants of its source than the guard allows (a fifth by default)'),
  ).action(async (file: string, options: ImportOptions) => {
    if (options.app !== undefined && options.appColumn !== undefined) {
      throw new UsageError(
        '--app names one app for the whole file, and --app-column a column with the app of each row: leave one of them out',
      );
    }
    await runImport(io, options, file, 'grants', (client, upload) =>
      client.upload(
        ImportService.method.importGrants,
        { app: options.app ?? '', source: options.source ?? '', ...readingOf(options) },
        upload,
      ),
    );
  });
}

function withFile(command: Command): Command {
  return withConnection(command)
    .argument('<file>', 'CSV, plain or gzip, or Excel (.xlsx); - for standard input')
    .option(
      '--map <wanted=Column>',
      'fill a wanted column from another column (account=Login), with one text for all rows (account_type==USER), or say what a value means (account_status:Frozen=DISABLED); repeat it for several',
      (value: string, before: readonly string[] = []) => [...before, value],
    )
    .option('--preset <name>', 'read the file as this export, such as okta-users (default: recognised by its header)')
    .option('--dates <order>', 'DMY or MDY: how dates such as 03/04/2026 are written')
    .option('--encoding <name>', 'UTF-8, UTF-16LE, UTF-16BE or windows-1252 (default: found by itself)')
    .option('--show-mapping', 'import nothing: show the columns of the file, a proposed mapping, and the first rows as they would be read')
    .option('--save-mapping', 'after the import, save --map for the next files of this source')
    .option('--sheet <name>', 'the sheet of an Excel file (default: its first)');
}

type Send = (client: Client, upload: Awaited<ReturnType<typeof openInput>>) => Promise<{ import?: ImportJson }>;

async function runImport(io: CommandIo, options: ImportOptions, file: string, what: 'people' | 'grants', send: Send): Promise<void> {
  if (options.saveMapping === true && mapOf(options).length === 0) {
    throw new CommandFailure('--save-mapping saves what --map sets: pass at least one --map');
  }
  const client = connect(io, options);
  // Before the file is opened: a wrong credential is found at once, not after gigabytes.
  await client.token();
  if (options.showMapping === true) {
    return showMapping(io, client, options, file, what);
  }
  if (what === 'grants' && options.app === undefined) {
    return importApps(io, client, options, file);
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
    await saveMapping(client, reply.import.connectorId ?? '', mapOf(options));
  }
  printImport(io, options, what, reply.import);
}

function printImport(io: CommandIo, options: ImportOptions, what: string, made: ImportJson): void {
  if (options.json === true) {
    writeJson(io.stdout, made);
    return;
  }
  writeLines(io.stdout, describeCounts(made, what), ...describeImport(made), ...describeAppColumn(options, made));
  printWarnings(io, made);
}

/** What a column of apps was taken for where the whole file is of one app. */
function describeAppColumn(options: ImportOptions, made: ImportJson): string[] {
  const column = made.reading?.mapping?.['resource'] ?? '';
  const isAsked = mapOf(options).some((text) => /^\s*resource\s*=/i.test(text));
  return isAppColumn(column) && !isAsked
    ? [
        `The column ${JSON.stringify(column)} is the resource within ${JSON.stringify(made.source ?? '')}. If it names apps, import each by itself: --app-column ${JSON.stringify(column)} instead of --app.`,
      ]
    : [];
}

/** The source the file would be of, whose saved mapping holds for it; '' where its first file would make it. */
async function findSourceId(client: Client, kind: 'people' | 'grants', { app = '', source }: ImportOptions): Promise<string> {
  if (kind === 'grants' && app === '') {
    return '';
  }
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
  const request = { kind, map: mapOf(options), sheet: options.sheet ?? '', app: options.app ?? '', connectorId };
  const found = await client.upload(ColumnMappingService.method.inspect, request, upload);
  if (options.json === true) {
    writeJson(io.stdout, found);
  } else {
    printInspection(io, found);
    const { appColumn } = options;
    const columns = (found.columns ?? []).filter((name) =>
      appColumn === undefined ? isAppColumn(name) : name.toLowerCase() === appColumn.trim().toLowerCase(),
    );
    if (kind === 'grants' && options.app === undefined && columns.length === 1) {
      writeLines(io.stdout, '', `The column ${JSON.stringify(columns[0])} names the apps: an import takes each by itself.`);
    }
  }
}
