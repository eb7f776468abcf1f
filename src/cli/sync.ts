/** `countersign sync list|show|diff`: what imports took in, what each file said, and how two of them differ, through the API. */
import type { Command } from 'commander';
import {
  type ImportJson,
  ImportService,
  type ImportServiceDiffResponseJson,
  type SyncDifferenceJson,
  type SyncGrantJson,
} from '../gen/countersign/v1/imports_pb.js';
import { describeImport } from './import-summary.ts';
import type { SourceJson } from '../gen/countersign/v1/connectors_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { findApp } from './find.ts';
import { type CommandIo, formatTable, UsageError, writeJson, writeLines } from './io.ts';
import { listSources } from './source.ts';

interface ListOptions extends ConnectOptions {
  readonly app?: string;
  readonly source?: string;
  readonly failed?: boolean;
  readonly limit: string;
}

/** Adds `sync list`, `sync show` and `sync diff`. */
export function addSyncCommands(program: Command, io: CommandIo): void {
  const group = program.command('sync').description('the record of each import, and the differences between two');

  withConnection(group.command('list').description('list syncs, the newest first'))
    .option('--app <app>', 'only those of this app (name or id)')
    .option('--source <source>', 'only those of this source (name or id)')
    .option('--failed', 'only those that were refused')
    .option('--limit <number>', 'the most to list', '25')
    .action((options: ListOptions) => runList(io, options));

  withConnection(group.command('show').description('show one sync: its counts, its row errors and its warnings'))
    .argument('<id>', 'id of the sync')
    .option('--grants', 'show the grants of its file instead, one a line')
    .action((id: string, options: ConnectOptions & { grants?: boolean }) =>
      (options.grants === true ? showGrants : showSync)(io, id, options),
    );

  withConnection(group.command('diff').description('compare a sync with another of the same app'))
    .argument('<id>', 'id of the sync')
    .argument('[from]', 'id of the sync to compare with (default: the previous one)')
    .action((id: string, from: string | undefined, options: ConnectOptions) => runDiff(io, id, from ?? '', options));
}

async function runList(io: CommandIo, options: ListOptions): Promise<void> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1) {
    throw new UsageError('--limit must be a whole number from 1 on');
  }
  const client = connect(io, options);
  const appId = options.app === undefined ? '' : (await findApp(client, options.app)).id;
  const sources = await listSources(client);
  const connectorId = options.source === undefined ? '' : findSourceId(sources, options.source, appId);
  const found: ImportJson[] = [];
  const state = options.failed === true ? 'IMPORT_STATE_FAILED' : 'IMPORT_STATE_UNSPECIFIED';
  for await (const view of client.pages(ImportService.method.list, { appId, connectorId, state })) {
    if (view.import !== undefined && found.push(view.import) === limit) {
      break;
    }
  }
  if (options.json === true) {
    writeJson(io.stdout, found);
    return;
  }
  const names = new Map(sources.map((source) => [source.id, source.displayName]));
  const rows = found.map((one) => [
    one.id ?? '',
    one.createdAt ?? '',
    one.kind === 'IMPORT_KIND_PEOPLE' ? 'people' : (one.source ?? ''),
    // A deleted source has no name any more.
    names.get(one.connectorId ?? '') ?? '',
    one.state === 'IMPORT_STATE_FAILED' ? 'refused' : 'done',
    ...[one.added, one.changed, one.removed, one.unchanged].map(String),
  ]);
  writeLines(io.stdout, formatTable(['ID', 'WHEN', 'OF', 'SOURCE', 'STATE', 'ADDED', 'CHANGED', 'REMOVED', 'UNCHANGED'], rows));
}

/** The id of a source by its name, of this app where one is given; what is no name of any is taken for an id: that of a deleted one, say. */
function findSourceId(sources: readonly SourceJson[], text: string, appId: string): string {
  const wanted = text.trim().toLowerCase();
  const named = sources.filter((one) => one.displayName?.toLowerCase() === wanted && (appId === '' || one.appId === appId));
  if (named.length > 1) {
    throw new UsageError(
      `${named.length} sources are named "${text}"; name the app as well (--app), or pass an id: ${named.map(({ id }) => id).join(', ')}`,
    );
  }
  return named[0]?.id ?? text;
}

async function showSync(io: CommandIo, id: string, options: ConnectOptions): Promise<void> {
  const { import: sync = {} } = await connect(io, options).call(ImportService.method.get, { id });
  if (options.json === true) {
    writeJson(io.stdout, sync);
    return;
  }
  const facts: [string, string | undefined][] = [
    ['id', sync.id],
    ['kind', sync.kind === 'IMPORT_KIND_PEOPLE' ? 'people' : 'grants'],
    ['of', sync.source],
    ['state', sync.state === 'IMPORT_STATE_FAILED' ? 'refused' : 'done'],
    ['started', sync.startedAt],
    ['ended', sync.endedAt],
    ['before it', sync.previousId || 'none'],
    ['file', describeFile(sync)],
    ['error', sync.error || undefined],
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  writeLines(io.stdout, ...facts.flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(width)}  ${value}`])));
  const counts = Object.entries(sync.counts ?? {}).map(([kind, one]) => [
    kind,
    ...[one.added, one.changed, one.removed, one.total].map(String),
  ]);
  if (counts.length > 0) {
    writeLines(io.stdout, '', formatTable(['KIND', 'ADDED', 'CHANGED', 'REMOVED', 'IN THE FILE'], counts));
  }
  const summary = describeImport(sync);
  if (summary.length > 0) {
    writeLines(io.stdout, '', ...summary);
  }
  const notes = [
    { what: 'row errors', count: sync.rejected, of: sync.rowErrors ?? [] },
    { what: 'warnings', count: sync.warningCount, of: sync.warnings ?? [] },
  ];
  for (const { what, count, of } of notes.filter((one) => one.of.length > 0)) {
    writeLines(io.stdout, '', `${count} ${what}${Number(count) > of.length ? `, of which the first ${of.length}` : ''}:`);
    writeLines(io.stdout, ...of.map((one) => `  line ${one.line ?? '?'}${one.column ? `, ${one.column}` : ''}: ${one.reason ?? ''}`));
  }
}

const formats: Readonly<Record<string, string>> = { IMPORT_FILE_FORMAT_CSV: 'CSV, ', IMPORT_FILE_FORMAT_XLSX: 'Excel, ' };

/** What is known of a file: a refused one may not have been read to its end. */
function describeFile({ fileFormat = 'IMPORT_FILE_FORMAT_UNSPECIFIED', fileSha256 = '', rows = '0' }: ImportJson): string {
  return `${formats[fileFormat] ?? ''}${rows} rows, ${fileSha256 === '' ? 'not read to its end' : `SHA-256 ${fileSha256}`}`;
}

function cellsOf(grant: SyncGrantJson): string[] {
  const { entitlement = {} } = grant;
  return [
    grant.account ?? '',
    entitlement.resourceType ?? '',
    entitlement.resource ?? '',
    entitlement.entitlement ?? '',
    grant.lastUsedAt ?? '',
  ];
}

const grantColumns = ['ACCOUNT', 'RESOURCE TYPE', 'RESOURCE', 'ENTITLEMENT', 'LAST USED'];

async function showGrants(io: CommandIo, id: string, options: ConnectOptions): Promise<void> {
  const grants: SyncGrantJson[] = [];
  for await (const grant of connect(io, options).pages(ImportService.method.listGrants, { id })) {
    grants.push(grant);
  }
  if (options.json === true) {
    writeJson(io.stdout, grants);
    return;
  }
  writeLines(io.stdout, formatTable(grantColumns, grants.map(cellsOf)));
}

const signs: Readonly<Record<string, string>> = { SYNC_CHANGE_ADDED: '+', SYNC_CHANGE_REMOVED: '-', SYNC_CHANGE_CHANGED: '~' };

async function runDiff(io: CommandIo, id: string, from: string, options: ConnectOptions): Promise<void> {
  const client = connect(io, options);
  const list: SyncDifferenceJson[] = [];
  let first: ImportServiceDiffResponseJson | undefined;
  for (let pageToken = ''; first === undefined || pageToken !== ''; ) {
    const page: ImportServiceDiffResponseJson = await client.call(ImportService.method.diff, { id, from, pageSize: 100, pageToken });
    first ??= page;
    list.push(...(page.list ?? []));
    pageToken = page.nextPageToken ?? '';
  }
  if (options.json === true) {
    writeJson(io.stdout, { ...first, list, nextPageToken: '' });
    return;
  }
  const { added = '0', changed = '0', removed = '0' } = first.counts ?? {};
  writeLines(io.stdout, `from ${first.fromId || 'nothing'} to ${id}: ${added} added, ${changed} changed, ${removed} removed`);
  if (list.length > 0) {
    writeLines(
      io.stdout,
      formatTable(
        ['', ...grantColumns],
        list.map((one) => [signs[one.change ?? ''] ?? '', ...cellsOf(one.after ?? one.before ?? {})]),
      ),
    );
  }
}
