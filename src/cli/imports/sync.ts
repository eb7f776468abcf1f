/** `countersign sync list|show|diff`: what imports took in, what each file said, and how two of them differ, through the API. */
import type { ByValue } from '../../client/by-value.ts';
import type { SourceJson } from '../../gen/countersign/v1/connectors_pb.js';
import {
  type ImportJson,
  ImportService,
  type ImportServiceDiffResponseJson,
  type SyncDifferenceJson,
  type SyncGrantJson,
} from '../../gen/countersign/v1/imports_pb.js';
import { type Commands, formatFacts, formatRows } from '../frame/commands.ts';
import { findAppId } from '../frame/find.ts';
import { formatTable, UsageError } from '../frame/io.ts';
import { listAll } from '../frame/list.ts';
import { listSources } from '../inventory/source.ts';
import { describeImport, describeNote } from './import-summary.ts';

/** Adds `sync list`, `sync show` and `sync diff`. */
export function addSyncCommands(group: Commands): void {
  group.list('list', {
    description: 'list syncs, the newest first',
    options: {
      '--app <app>': 'only those of this app (name or id)',
      '--source <source>': 'only those of this source (name or id)',
      '--failed': 'only those that were refused',
      '--limit <number>': { text: 'the most to list', fallback: '25' },
    },
    method: ImportService.method.list,
    request: async ({ app, source, failed }, { client }) => {
      const appId = app === undefined ? '' : await findAppId(client, app);
      return {
        appId,
        connectorId: source === undefined ? '' : findSourceId(await listSources(client), source, appId),
        state: failed === true ? ('IMPORT_STATE_FAILED' as const) : ('IMPORT_STATE_UNSPECIFIED' as const),
      };
    },
    item: 'import',
    names: async ({ client }) => new Map((await listSources(client)).map((source) => [source.id, source.displayName])),
    columns: {
      ID: 'id',
      WHEN: 'createdAt',
      OF: ({ kind, source }) => (kind === 'IMPORT_KIND_PEOPLE' ? 'people' : source),
      // A deleted source has no name any more.
      SOURCE: ({ connectorId }, names) => names.get(connectorId),
      STATE: sayState,
      ADDED: 'added',
      CHANGED: 'changed',
      REMOVED: 'removed',
      UNCHANGED: 'unchanged',
    },
  });

  group.run('show', {
    description: 'show one sync: its counts, its row errors and its warnings',
    operands: { '<id>': 'id of the sync' },
    options: { '--grants': 'show the grants of its file instead, one a line' },
    act: async ({ id, grants: asksGrants }, { client }) => {
      if (asksGrants === true) {
        const grants = await listAll(client.pages(ImportService.method.listGrants, { id }));
        return { json: grants, text: formatRows(grantColumns, grants.map(cellsOf)) };
      }
      const { import: sync = {} } = await client.call(ImportService.method.get, { id });
      return { json: sync, text: describe(sync) };
    },
  });

  group.run('diff', {
    description: 'compare a sync with another of the same app',
    operands: { '<id>': 'id of the sync', '[from]': 'id of the sync to compare with (default: the previous one)' },
    act: async ({ id, from = '' }, { client }) => {
      const list: SyncDifferenceJson[] = [];
      let first: ImportServiceDiffResponseJson | undefined;
      for (let pageToken = ''; first === undefined || pageToken !== ''; ) {
        const page: ImportServiceDiffResponseJson = await client.call(ImportService.method.diff, { id, from, pageSize: 100, pageToken });
        first ??= page;
        list.push(...(page.list ?? []));
        pageToken = page.nextPageToken ?? '';
      }
      const { added = '0', changed = '0', removed = '0' } = first.counts ?? {};
      const rows = list.map((one) => [signs[one.change ?? ''] ?? '', ...cellsOf(one.after ?? one.before ?? {})]);
      return {
        json: { ...first, list, nextPageToken: '' },
        text: [
          `from ${first.fromId || 'nothing'} to ${id}: ${added} added, ${changed} changed, ${removed} removed`,
          ...(rows.length > 0 ? [formatTable(['', ...grantColumns], rows)] : []),
        ],
      };
    },
  });
}

function sayState({ state }: ImportJson): string {
  return state === 'IMPORT_STATE_FAILED' ? 'refused' : 'done';
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

function describe(sync: ImportJson): string[] {
  const facts = formatFacts({
    id: sync.id,
    kind: sync.kind === 'IMPORT_KIND_PEOPLE' ? 'people' : 'grants',
    of: sync.source,
    state: sayState(sync),
    started: sync.startedAt,
    ended: sync.endedAt,
    'data from': sync.observedFrom,
    'may lack': sync.incompleteReason || undefined,
    'before it': sync.previousId || 'none',
    file: describeFile(sync),
    error: sync.error || undefined,
  });
  const isDisputed = Number(sync.counts?.people?.disputed ?? 0) > 0;
  const counts = Object.entries(sync.counts ?? {}).map(([kind, one]) => [
    kind,
    ...[one.added, one.changed, one.removed, one.total, ...(isDisputed ? [one.disputed ?? '0'] : [])].map(String),
  ]);
  const notes = [
    { what: 'row errors', count: sync.rejected, of: sync.rowErrors ?? [] },
    { what: 'warnings', count: sync.warningCount, of: sync.warnings ?? [] },
  ].map(({ what, count, of }) => [
    ...(of.length === 0 ? [] : [`${count} ${what}${Number(count) > of.length ? `, of which the first ${of.length}` : ''}:`]),
    ...of.map((one) => describeNote(one)),
  ]);
  const table =
    counts.length === 0
      ? []
      : [formatTable(['KIND', 'ADDED', 'CHANGED', 'REMOVED', 'IN THE FILE', ...(isDisputed ? ['DISPUTED'] : [])], counts)];
  return [facts, table, describeImport(sync), ...notes]
    .filter((part) => part.length > 0)
    .flatMap((part, at) => (at === 0 ? part : ['', ...part]));
}

const formats: ByValue<ImportJson['fileFormat'], string> = {
  IMPORT_FILE_FORMAT_CSV: 'CSV, ',
  IMPORT_FILE_FORMAT_XLSX: 'Excel, ',
  IMPORT_FILE_FORMAT_C1Z: 'c1z, ',
};

/** Describes a file: a refused one may not have been read to its end. */
function describeFile({ fileFormat, fileSha256 = '', rows = '0' }: ImportJson): string {
  return `${formats[fileFormat ?? ''] ?? ''}${rows} rows, ${fileSha256 === '' ? 'not read to its end' : `SHA-256 ${fileSha256}`}`;
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

const signs: ByValue<NonNullable<ImportServiceDiffResponseJson['list']>[number]['change'], string> = {
  SYNC_CHANGE_ADDED: '+',
  SYNC_CHANGE_REMOVED: '-',
  SYNC_CHANGE_CHANGED: '~',
};
