/** Writers and readers of each table: src/tables.ts, held against the migrations and against every statement of the code. */
import { type Finding, moduleOf } from './arrows.ts';
import { literalsOf, readStatements } from './statements.ts';
import { type Read, readsOf } from './statements/tables-read.ts';
import { isStore } from './sql.ts';
import { isTest, type SourceFile, withoutComments } from './tree.ts';

/**
 * Statements whose table is a variable, by file: the tables it may be, and why it is one. Those are held to their owner as if they were
 * written out. Do not add to it lightly: a name that stands in the statement needs no entry.
 */
export const variableTables: Readonly<Record<string, { readonly tables: readonly string[]; readonly why: string }>> = {
  'src/db/access.ts': { tables: [], why: 'it names privileges; no statement of it writes a table' },
  'src/db/backup/restore.ts': { tables: [], why: 'a restore fills every table of an empty database, whoever owns it' },
  'src/db/backup/write.ts': { tables: [], why: 'it reads every table; no statement of it writes one' },
  'src/db/erase-tenant.ts': {
    tables: ['tenant_erasures'],
    why: 'the erasure of a tenant takes its rows out of every table, whoever owns it',
  },
  'src/inventory/catalog/record/store-owners.ts': {
    tables: ['app_owners', 'resource_owners', 'entitlement_owners'],
    why: 'owners of whatever has them are kept alike',
  },
  'src/inventory/catalog/owners/store-merge.ts': {
    tables: ['app_owners', 'resource_owners', 'entitlement_owners', 'account_owners', 'source_owners', 'user_owners'],
    why: 'owners of whatever has them are merged alike',
  },
  'src/inventory/catalog/merging/store-merge-owners.ts': {
    tables: ['resource_owners', 'entitlement_owners'],
    why: 'owners of what goes on as something else are kept alike',
  },
  'src/inventory/catalog/merging/store-twins.ts': {
    tables: ['resource_types', 'resources', 'entitlements'],
    why: 'three tables with keys of names are merged alike',
  },
  'src/inventory/catalog/apps/store-policies.ts': {
    tables: ['apps', 'entitlements'],
    why: 'both choose policies alike',
  },
  'src/governance/tasks/batches/store-bulk.ts': {
    tables: ['review_routes', 'task_subject_assignments', 'task_assignment_members', 'task_assignments'],
    why: 'four tables of one key are emptied alike',
  },
  'src/governance/snapshots/freeze/store-freeze.ts': {
    tables: [
      'review_accounts',
      'review_people',
      'review_peers',
      'review_entitlements',
      'review_policies',
      'review_reviewed',
      'review_digests',
    ],
    why: 'the snapshot is seven tables of one key',
  },
  'src/inventory/syncs/merge/store-profiles.ts': {
    tables: ['import_people', 'import_accounts'],
    why: 'the profiles of people and of accounts are held to their types alike',
  },
  'src/inventory/syncs/people/store-managers.ts': {
    tables: ['import_chain_a', 'import_chain_b'],
    why: 'two temporary tables take turns',
  },
};

/** Tables of one file's transaction: whoever makes them writes them. */
const temporary = /\bCREATE\s+TEMP(?:ORARY)?\s+TABLE\s+(\w+)/g;

// FOR UPDATE and FOR NO KEY UPDATE lock, and ON CONFLICT DO UPDATE goes on with the table of its INSERT.
const write =
  /\b(?:INSERT\s+INTO|(?<!\b(?:FOR|KEY|DO)\s+)UPDATE(?:\s+ONLY)?|DELETE\s+FROM(?:\s+ONLY)?|COPY|TRUNCATE(?:\s+TABLE)?|ANALYZE)(?:\s+(\$\{|\w+)|\s*(['"`]))/g;

/** The final names of the tables that the migrations make, in order. */
export function tablesOf(migrations: string): string[] {
  const text = migrations.replace(/--[^\n]*/g, '');
  const names = new Set<string>();
  const steps =
    /\bCREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)|\bALTER TABLE (\w+) RENAME TO (\w+)|\bDROP TABLE (?:IF EXISTS )?(\w+)/g;
  for (const [, made, from = '', to, dropped] of text.matchAll(steps)) {
    names.delete(dropped ?? from);
    if (made !== undefined || to !== undefined) {
      names.add(made ?? to ?? '');
    }
  }
  return [...names];
}

/** Tables without an owner, owners that are not there, and entries of tables that are not. */
export function wrongOwners(tables: readonly string[], owners: Readonly<Record<string, string>>, modules: readonly string[]): Finding[] {
  const places = [...modules, 'jobs', 'db'];
  return [
    ...tables.filter((table) => !Object.hasOwn(owners, table)).map((table) => `table ${table}: every table has an owner in tables.ts`),
    ...Object.entries(owners).flatMap(([table, owner]) => [
      ...(tables.includes(table) ? [] : [`tables.ts names ${table}: no migration makes it`]),
      ...(places.includes(owner) ? [] : [`tables.ts: ${owner}, the owner of ${table}, is no module of order.ts`]),
    ]),
  ];
}

/** The module a file belongs to, or the part of the program. */
function placeOf(path: string): string {
  return moduleOf(path) ?? /^src\/([^/]+)\//.exec(path)?.[1] ?? path;
}

/** Statements that write a table of another module, and statements that do not say which table they write. */
export function foreignWrites(
  files: readonly SourceFile[],
  owners: Readonly<Record<string, string>>,
  variable: Readonly<Record<string, { readonly tables: readonly string[] }>> = variableTables,
): Finding[] {
  const code = files.filter((file) => !isTest(file));
  const made = new Map(code.flatMap((file) => [...file.text.matchAll(temporary)].map(([, name = '']) => [name, placeOf(file.path)])));
  return code.flatMap((file) => {
    const place = placeOf(file.path);
    const named = new Set<string>();
    const found: Finding[] = [];
    for (const [, name, quote] of withoutComments(file.text).matchAll(write)) {
      if (quote !== undefined || name === '${') {
        const listed = variable[file.path]?.tables;
        if (listed === undefined) {
          found.push(`${file.path}: a statement that writes names its table; a variable one stands on the list of test/house/tables.ts`);
        }
        for (const table of listed ?? []) {
          named.add(table);
        }
      } else if (name !== undefined && (Object.hasOwn(owners, name) || made.has(name))) {
        named.add(name);
      }
    }
    for (const table of named) {
      const owner = owners[table] ?? made.get(table);
      if (owner !== place) {
        found.push(`${file.path} writes ${table}: only ${owner ?? 'its owner'} does; call its public interface`);
      }
    }
    return found;
  });
}

/**
 * Clauses of each module that read tables of others: `upward` those of later modules, `other` the rest. Numbers only fall: a module reads
 * what others keep through their `reads.ts`. A module that is not listed reads no table but its own.
 */
export const readCeilings: Readonly<Record<string, ForeignReads>> = {
  // Whether a tenant is being erased: `db` erases it past all modules, and has no views.
  tenants: { upward: 0, other: 1 },
  audit: { upward: 0, other: 1 },
  // The settings of sessions, read with each session: a view of credentials is to come.
  sessions: { upward: 0, other: 1 },
  // A lock of a row, which a view cannot take.
  catalog: { upward: 0, other: 1 },
  // Owners of a source: a view of the catalog is to come. So with samples (of apps), policies (of entitlements) and tasks (of sources).
  sources: { upward: 0, other: 1 },
  policies: { upward: 0, other: 1 },
  samples: { upward: 0, other: 1 },
  // Locks of rows.
  identity: { upward: 0, other: 2 },
  // The types of attributes, in statements over all that a file says, and events since a moment.
  syncs: { upward: 0, other: 3 },
  // What a policy refers to, and what a conflict is between: views are to come.
  snapshots: { upward: 0, other: 2 },
  // Besides owners, when somebody was last seen: by credentials and sessions, in the statement of a page.
  tasks: { upward: 0, other: 3 },
  // What a provider pushes, waiting decisions and assignments of subjects, each joined in a statement of its own: views are to come.
  reviews: { upward: 0, other: 3 },
  // What a second review said of each item of a page, and the review it is of: views are to come.
  reports: { upward: 0, other: 2 },
  // What occurred, and whether a report was asked for.
  notifications: { upward: 0, other: 2 },
};

/**
 * Members of slots by which a later module hands SQL over its own tables to an earlier one, which then reads upwards. The list only shrinks: what an
 * earlier module needs to know comes as rows, in an argument or with an event.
 */
export const sqlSlotsLeft: readonly string[] = [
  'catalog.getIsAsked',
  'catalog.getIsFromSource',
  'catalog.getIsInReview',
  'catalog.isDirectory',
  'catalog.sourceId',
  'conflicts.getIsCertified',
  'credentials.getHasProvider',
  'directory.getDirectoryIds',
  'directory.getHasAccountIn',
  'directory.getSourceColumns',
  'identity.getRecordKeys',
  'revocations.reviews',
  'sources.getDisputedCount',
  'sources.getFetches',
  'sources.getLastSync',
  'sources.getPushedAccounts',
  'tasks.removals',
  'tasks.reviews',
];

/** The members of slots that are SQL, a text of it, or return it, as `module.member`, sorted. */
export function listSqlSlots(files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => !isTest(file))
    .flatMap(({ path, text }) => {
      const [, slot] = /\bcreateSlot<(\w+)>/.exec(text) ?? [];
      const [, members = ''] = new RegExp(`\\binterface ${slot} \\{\\n([\\s\\S]*?)\\n\\}`).exec(withoutComments(text)) ?? [];
      return [...`${members}\n`.matchAll(/^\s*(?:readonly\s+)?(\w+)\??\s*(?:\([^;]*\))?:([^;]*);$/gm)]
        .filter(([, , type = '']) => /\bSql\b/.test(type.slice(type.lastIndexOf('=>') + 1)) || type.trim() === 'string')
        .map(([, member]) => `${moduleOf(path)}.${member}`);
    })
    .sort();
}

/** Clauses that read tables of other modules. */
export interface ForeignReads {
  readonly upward: number;
  readonly other: number;
}

/** A clause that reads a table, or a view of a later module. */
export interface ForeignRead {
  /** The module whose file names the table. */
  readonly module: string;
  readonly table: string;
  readonly isUpward: boolean;
  /** The file, and the line of the name. */
  readonly place: string;
}

/**
 * Clauses that read tables of other modules. A clause is where the name stands, in whatever statements it becomes part of: each literal is read as it
 * stands, and each statement as the code puts it together (statements.ts). Views of others are theirs to promise (reads.ts): they count where the
 * module is a later one.
 */
export function listForeignReads(
  files: readonly SourceFile[],
  owners: Readonly<Record<string, string>>,
  order: readonly string[],
  views: readonly { readonly view: string; readonly owner: string }[] = [],
): ForeignRead[] {
  const owned = new Map([...Object.entries(owners), ...views.map(({ view, owner }) => [view, owner] as const)]);
  const promised = new Set(views.map(({ view }) => view));
  const code = files.filter((file) => !isTest(file));
  const texts = new Map(code.map(({ path, text }) => [path, text]));
  const places = new Map<string, Read>();
  for (const file of code.filter(({ path }) => order.includes(placeOf(path)) && isStore(path))) {
    for (const read of literalsOf(file).flatMap((parts) => readsOf(parts, true))) {
      places.set(`${read.path}:${read.at}`, read);
    }
  }
  // A literal alone does not tell what a WITH in another one calls so: the whole statements do.
  const inStatements = new Map<string, Read>();
  for (const read of readStatements(code, code.map(({ path }) => path).filter(isStore), 'src/slots.ts').flatMap(({ parts }) =>
    readsOf(parts),
  )) {
    const place = `${read.path}:${read.at}`;
    // A clause of the owner that is told which of its tables to read is the owner's.
    const isOwn = read.isOwn || placeOf(read.clausePath) === owned.get(read.table);
    inStatements.set(place, { ...read, isOwn: isOwn && inStatements.get(place)?.isOwn !== false });
  }
  for (const [place, read] of inStatements) {
    places.set(place, read);
  }
  return [...places.values()].flatMap(({ table, path, at, isOwn }) => {
    const module = placeOf(path);
    const owner = owned.get(table);
    const isUpward = owner !== undefined && order.indexOf(owner) > order.indexOf(module);
    const isForeign = !isOwn && order.includes(module) && owner !== undefined && owner !== module && (isUpward || !promised.has(table));
    const line = (texts.get(path) ?? '').slice(0, at).split('\n').length;
    return isForeign ? [{ module, table, isUpward, place: `${path}:${line}` }] : [];
  });
}

/** Clauses of each module that read tables of others, counted; modules without any left out. */
export function countForeignReads(reads: readonly ForeignRead[]): Record<string, ForeignReads> {
  const counts: Record<string, { upward: number; other: number }> = {};
  for (const { module, isUpward } of reads) {
    counts[module] ??= { upward: 0, other: 0 };
    counts[module][isUpward ? 'upward' : 'other']++;
  }
  return counts;
}

/** Modules that read more of other modules' tables than their ceiling allows. */
export function excessReads(counts: Readonly<Record<string, ForeignReads>>, ceilings = readCeilings): Finding[] {
  return Object.entries(counts).flatMap(([module, count]) =>
    (['upward', 'other'] as const)
      .filter((kind) => count[kind] > (ceilings[module]?.[kind] ?? 0))
      .map(
        (kind) =>
          `${module} reads tables of ${kind === 'upward' ? 'later' : 'other'} modules in ${count[kind]} clauses, ${ceilings[module]?.[kind] ?? 0} at most: read what their owners export or the views of their reads.ts`,
      ),
  );
}
