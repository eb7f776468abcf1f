/**
 * `countersign import people|grants|c1z`: sends a CSV or Excel file, or that of a connector, to the server, streaming, or has its columns looked at first. What the file
 * means is decided there.
 */
import type { Answer, Commands, Session } from '../frame/commands.ts';
import { type Client, ClientError } from '../../client/index.ts';
import { ImportService, type ImportJson, type ImportServiceImportGrantsResponseJson } from '../../gen/countersign/v1/imports_pb.js';
import { ColumnMappingService } from '../../gen/countersign/v1/mapping_pb.js';
import { printApps } from './import-apps.ts';
import { describeInspection } from './import-columns.ts';
import { findUsageError, type ImportOptions, askedMap, askedReading, saveMapping, withAdvice } from './import-request.ts';
import { openInput } from '../frame/input-file.ts';
import { findApp } from '../frame/find.ts';
import { describeCounts, describeImport, printWarnings } from './import-summary.ts';
import { collect, CommandFailure, UsageError, writeLines } from '../frame/io.ts';
import { createProgress, formatBytes } from '../frame/progress.ts';
import { listSources } from '../inventory/source.ts';

/** Names the server gives to unnamed sources. */
const defaultSources = { people: 'people', grants: 'files' } as const;
/** So much is sent to have its values counted. */
const inspectedBytes = 16 * 1024 * 1024;

const withFile = {
  '--map <wanted=Column>': {
    text: 'fill a wanted column from another column (account=Login), with one text for all rows (account_type==USER), or say what a value means (account_status:Frozen=DISABLED); repeat it for several',
    parse: collect,
  },
  '--preset <name>': 'read the file as this export, such as okta-users (default: recognised by its header)',
  '--dates <order>': 'DMY or MDY: how dates such as 03/04/2026 are written',
  '--encoding <name>': 'UTF-8, UTF-16LE, UTF-16BE or windows-1252 (default: found by itself)',
  '--header-line <n>': 'the line of the file that the names of the columns stand on (default: found by itself)',
  '--show-mapping': 'import nothing: show the columns of the file, a proposed mapping, and the first rows as they would be read',
  '--save-mapping': 'after the import, save --map for the next files of this source',
  '--sheet <name>': 'the sheet of an Excel file (default: its first)',
  '--observed-from <time>': 'when the file was made, if that is not now: it proves nothing about what was removed later',
} as const;

/** Adds `import people`, `import grants` and `import c1z`. */
export function addImportCommands(group: Commands): void {
  addC1zCommand(group);
  const operands = { '<file>': 'CSV, plain or gzip, or Excel (.xlsx); - for standard input' } as const;
  group.run('people', {
    description: 'import people (columns: email, display_name, manager_email, department, job_title, employment_status)',
    operands,
    options: {
      '--source <name>': {
        text: 'name of the source; people missing from a later file of the same source are disabled',
        fallback: 'people',
      },
      '--allow-removals': 'import a file that disables more people of its source than the guard allows (a fifth by default)',
      ...withFile,
    },
    act: (given, session) =>
      runImport(session, given, 'people', (upload) =>
        session.client.upload(ImportService.method.importPeople, { source: given.source, ...askedReading(given) }, upload),
      ),
  });

  group.run('grants', {
    description:
      'import the accounts and grants of one app, or of each app that a column of the file names (columns: account, email, account_type, account_status, resource_type, resource, entitlement, granted_at, last_used_at)',
    operands,
    options: {
      '--app <name>': 'display name of the app; it is created if it does not exist (default: the file has a column of apps)',
      '--app-column <column>': 'the column that names the app of each row; every app is imported by itself (default: found by its name)',
      '--source <name>': 'name of the source within the app; grants missing from a later file of the same source end',
      '--allow-removals': 'import a file that ends more grants of its source than the guard allows (a fifth by default)',
      ...withFile,
    },
    act: (given, session) => {
      const { app = '', appColumn, source = '' } = given;
      if (app !== '' && appColumn !== undefined) {
        throw new UsageError(
          '--app names one app for the whole file, and --app-column a column with the app of each row: leave one of them out',
        );
      }
      const splitting = given.app === undefined ? { splitByApp: true, appColumn: appColumn ?? '' } : {};
      return runImport(session, given, 'grants', (upload) =>
        session.client.upload(ImportService.method.importGrants, { app, source, ...splitting, ...askedReading(given) }, upload),
      );
    },
  });
}

/** Adds `import c1z`. */
function addC1zCommand(group: Commands): void {
  group.run('c1z', {
    description: 'import the accounts and grants of one app from the file of a Baton connector (.c1z)',
    operands: { '<file>': '.c1z; - for standard input' },
    options: {
      '--app <name>': { text: 'display name of the app; it is created if it does not exist', needed: true },
      '--source <name>': 'name of the source within the app; grants missing from a later file of the same source end',
      '--allow-removals': 'import a file that ends more grants of its source than the guard allows (a fifth by default)',
      '--zone <name>':
        'time zone of the host of the connector, such as Europe/Berlin (default: unknown, so the data may be 14 hours older)',
    },
    act: (given, session) => {
      const { app, source = '', allowRemovals = false, zone = '' } = given;
      return runImport(session, given, 'grants', (upload) =>
        session.client.upload(ImportService.method.importC1z, { app, source, allowRemovals, zone }, upload),
      );
    },
  });
}

type GivenImport = ImportOptions & { readonly file: string };
type Reply = ImportServiceImportGrantsResponseJson;
type Send = (upload: Awaited<ReturnType<typeof openInput>>) => Promise<Reply>;

async function runImport(session: Session, options: GivenImport, what: 'people' | 'grants', send: Send): Promise<Answer | undefined> {
  if (options.saveMapping === true && askedMap(options).length === 0) {
    throw new CommandFailure('--save-mapping saves what --map sets: pass at least one --map');
  }
  const { io, client } = session;
  const { file } = options;
  // Before the file is opened: a wrong credential is found at once, not after gigabytes.
  await client.token();
  if (options.showMapping === true) {
    return showMapping(session, options, what);
  }
  const progress = createProgress(io, `sending ${what}`, formatBytes);
  let reply: Reply;
  try {
    const upload = await openInput(io, file, (read, size) => {
      progress.update(read, size, read === size ? `importing ${what}` : undefined);
    });
    reply = await send(upload);
  } catch (error) {
    throw error instanceof ClientError ? (findUsageError(error) ?? withAdvice(error)) : error;
  } finally {
    progress.finish();
  }
  const { import: made, apps = [] } = reply;
  if (options.saveMapping === true) {
    for (const { connectorId = '' } of [made, ...apps.map((one) => one.import)].filter((one) => one !== undefined)) {
      await saveMapping(client, connectorId, askedMap(options));
    }
  }
  if (apps.length > 0) {
    printApps(io, options.json === true, reply);
    return undefined;
  }
  if (made === undefined) {
    throw new CommandFailure('the server answered without the sync');
  }
  if (options.json !== true) {
    writeLines(io.stdout, describeCounts(made, what), ...describeImport(made), ...describeAppColumn(options, made, reply.appColumn));
    printWarnings(io, made);
    return undefined;
  }
  return { json: made, text: '' };
}

/** Explains how a column of apps was read if the whole file is of one app. */
function describeAppColumn(options: ImportOptions, made: ImportJson, column = ''): string[] {
  const isAsked = askedMap(options).some((text) => /^\s*resource\s*=/i.test(text));
  return column !== '' && !isAsked
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

async function showMapping({ io, client }: Session, options: GivenImport, kind: 'people' | 'grants'): Promise<Answer> {
  const { app, appColumn, sheet = '' } = options;
  const upload = await openInput(io, options.file, () => undefined, inspectedBytes);
  const connectorId = await findSourceId(client, kind, options);
  const request = { kind, map: askedMap(options), sheet, app: app ?? '', connectorId };
  const found = await client.upload(ColumnMappingService.method.inspect, request, upload);
  const wanted = appColumn?.trim().toLowerCase();
  const column = wanted === undefined ? found.appColumn : found.columns?.find((name) => name.toLowerCase() === wanted);
  const isOfApps = kind === 'grants' && app === undefined && column !== undefined && column !== '';
  return {
    json: found,
    text: [
      ...describeInspection(found),
      ...(isOfApps ? ['', `The column ${JSON.stringify(column)} names the apps: an import takes each by itself.`] : []),
    ],
  };
}
