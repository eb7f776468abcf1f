/** Reads the database of a c1z to its end, as messages of rows. Runs in a thread of its own (worker.ts). */
import { C1zError } from './c1z-error.ts';
import { chooseSync } from './choose-sync.ts';
import { findWanted } from './find-grants.ts';
import type { C1zOptions, Message, WantedInC1z } from './messages.ts';
import { listResourceKeys } from './store.ts';
import { type C1zDatabase, openDatabase } from './store-database.ts';
import { accountKeyOf, accountTraitOf, createAttributes, readAccount } from './read-account.ts';
import { leftOut, readEntitlements } from './read-entitlements.ts';
import { type GrantSurroundings, readGrants } from './read-grants.ts';
import { createResourceSearch, readTypes, seeResources } from './read-resources.ts';
import { createRowSender } from './row-sender.ts';
import { textIn } from './texts.ts';
import { createWarnings } from './warnings.ts';

/** SQLite's codes of a machine that is in trouble, for which the file is not to blame: no memory, no input or output, full, cannot be opened. */
const ownTroubles: readonly unknown[] = [7, 10, 13, 14];

/** Reads a database and sends what it says, DONE or REFUSED at the end. Throws only what the file is not to blame for. */
export function readDatabase(path: string, options: C1zOptions, send: (message: Message) => void): void {
  withDatabase(path, send, (db) => readSync(db, options, send));
}

/** Looks for single grants and accounts in a database and sends FOUND or REFUSED. Throws only what the file is not to blame for. */
export function lookIntoDatabase(path: string, wanted: readonly WantedInC1z[], send: (message: Message) => void): void {
  withDatabase(path, send, (db) => send({ kind: 'FOUND', list: findWanted(db, wanted) }));
}

function withDatabase(path: string, send: (message: Message) => void, read: (db: C1zDatabase) => void): void {
  try {
    const db = openDatabase(path);
    try {
      read(db);
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof C1zError) {
      send({ kind: 'REFUSED', message: error.message });
    } else if (error instanceof Error && isOfFile(error)) {
      send({ kind: 'REFUSED', message: `the database in the file cannot be read: ${error.message}` });
    } else {
      throw error;
    }
  }
}

/** True if the database in the file is to blame: SQLite says so, or a whole number in it is larger than ours are. */
function isOfFile(error: Error & { readonly code?: unknown; readonly errcode?: unknown }): boolean {
  return error.errcode === undefined ? error.code === 'ERR_OUT_OF_RANGE' : !ownTroubles.includes(Number(error.errcode) & 0xff);
}

function readSync(db: C1zDatabase, options: C1zOptions, send: (message: Message) => void): void {
  const sync = chooseSync(db);
  const warnings = createWarnings();
  const attributes = createAttributes(options);
  const types = readTypes(db, sync.id);
  const resourceCount = seeResources(db, sync.id, types, attributes, warnings);
  send({ kind: 'OPENED', attributes: attributes.names(), startedAt: sync.startedAt, incompleteReason: sync.incompleteReason });
  const sender = createRowSender(send);
  const findResource = createResourceSearch(db, sync.id);
  const entitlements = readEntitlements(db, sync.id, { types, findResource, sender, warnings });
  const around = { types, findResource, entitlements, attributes, sender, warnings };
  const seen = new Set<string>();
  const grantCount = readGrants(db, sync.id, around, (type, id) => seen.add(`${type}:${id}`));
  sendOtherAccounts(db, sync.id, around, seen);
  sender.flush();
  const counted = { resource_types: types.size, resources: resourceCount, entitlements: entitlements.count, grants: grantCount };
  for (const [what, count] of Object.entries(counted)) {
    const said = sync.counts.get(what);
    if (said !== undefined && said !== count) {
      throw new C1zError(`the sync says that it has ${said} ${what.replace('_', ' ')}, and the file has ${count}: it is not whole`);
    }
  }
  send({ kind: 'DONE', warnings: warnings.list() });
}

/** Sends the accounts that hold nothing but the access to their app. */
function sendOtherAccounts(
  db: C1zDatabase,
  syncId: string,
  { types, findResource, attributes, sender, warnings }: GrantSurroundings,
  seen: ReadonlySet<string>,
): void {
  for (const row of listResourceKeys(db, syncId)) {
    const [type, key] = row.map(textIn) as [string, string];
    if (seen.has(key) || type === '') {
      continue;
    }
    const id = key.slice(type.length + 1);
    const found = id === '' ? undefined : findResource(type, id);
    const trait = found && accountTraitOf(found.resource, types.get(type));
    const account = trait && readAccount(accountKeyOf(type, id), found.resource, trait, attributes, warnings);
    if (account !== undefined) {
      sender.account(account);
      sender.grant(leftOut, '');
    }
  }
}
