/**
 * Grants of a c1z in the order of their principals, so that those of an account are together: its inherited ones are walked back through its own.
 * Accounts, and what a grant is of, are read of the columns; of the blobs only the sources.
 */
import { C1zError } from './c1z-error.ts';
import { listGrants } from './store.ts';
import type { C1zDatabase } from './store-database.ts';
import { type Attributes, accountKeyOf, accountTraitOf, readAccount } from './read-account.ts';
import { type Entitlements, leftOut } from './read-entitlements.ts';
import { readExpandable, readExpansion, readSources } from './read-grant.ts';
import type { TypeUse } from './read-resource.ts';
import type { FindResource } from './read-resources.ts';
import type { RowSender } from './row-sender.ts';
import { readBlob, textIn } from './texts.ts';
import { type HeldGrant, tracePaths } from './trace-paths.ts';
import type { Warnings } from './warnings.ts';

/** Most grants of one account: they are held in memory until all are there. */
const maxHeld = 1_000_000;

/** Everything that grants refer to. */
export interface GrantSurroundings {
  readonly types: ReadonlyMap<string, TypeUse>;
  readonly findResource: FindResource;
  readonly entitlements: Entitlements;
  readonly attributes: Attributes;
  readonly sender: RowSender;
  readonly warnings: Warnings;
}

/** Grants of one principal, which follow each other in the file. */
interface Principal {
  readonly type: string;
  readonly id: string;
  readonly use: 'ACCOUNT' | 'DELETED' | 'OTHER' | 'MISSING' | 'EMPTY';
  readonly account: readonly string[];
  /** Numbers of the entitlements that it holds itself, each as often as the file says so. */
  readonly direct: number[];
  /** Those that it holds through others, with these: of most accounts none. */
  readonly inherited: Map<number, Set<number>>;
}

/** Sends the grants of a sync; returns how many there are. Accounts that hold nothing are not among them; `seen` learns of all others. */
export function readGrants(db: C1zDatabase, syncId: string, around: GrantSurroundings, seen: (type: string, id: string) => void): number {
  const { entitlements, sender, warnings } = around;
  let count = 0;
  let principal: Principal | undefined;
  const end = () => {
    if (principal !== undefined) {
      sendPrincipal(principal, around);
      if (principal.use === 'ACCOUNT') {
        seen(principal.type, principal.id);
      }
    }
  };
  for (const row of listGrants(db, syncId)) {
    db.countRow();
    count++;
    if (row[4] !== 0) {
      throw new C1zError(
        'the sync in the file was not expanded (needs_expansion): grants that groups pass on are missing; let the connector finish it',
      );
    }
    const [type, id, entitlementId] = [textIn(row[0]), textIn(row[1]), textIn(row[2])];
    if (principal === undefined || principal.id !== id || principal.type !== type) {
      end();
      principal = findPrincipal(type, id, around);
    }
    if (principal.use === 'EMPTY' || principal.use === 'MISSING') {
      warnings.add(principal.use === 'EMPTY' ? 'emptyPrincipal' : 'missingPrincipal', entitlementId);
      continue;
    }
    const entitlement = entitlements.find(entitlementId);
    if (entitlement === undefined || entitlement === leftOut) {
      if (entitlement === undefined) {
        warnings.add('missingEntitlement', entitlementId);
      }
    } else if (principal.use === 'OTHER') {
      sendLinks(entitlement, entitlementId, row[5] ?? row[3], row[5] !== null, around);
    } else if (principal.use === 'ACCOUNT') {
      const sources = readBlob(readSources, row[3], 'a grant');
      if (sources.length === 0 && principal.direct.length < maxHeld) {
        principal.direct.push(entitlement);
      } else {
        hold(principal, entitlement, entitlementId, sources, around);
      }
    }
  }
  end();
  sender.flush();
  return count;
}

function findPrincipal(type: string, id: string, { types, findResource, attributes, warnings }: GrantSurroundings): Principal {
  const none = { type, id, account: [], direct: [], inherited: new Map<number, Set<number>>() };
  if (type === '' || id === '') {
    return { ...none, use: 'EMPTY' };
  }
  const found = findResource(type, id);
  const trait = found && accountTraitOf(found.resource, types.get(type));
  if (found === undefined || trait === undefined) {
    return { ...none, use: found === undefined ? 'MISSING' : 'OTHER' };
  }
  const key = accountKeyOf(type, id);
  const account = readAccount(key, found.resource, trait, attributes, warnings);
  if (account === undefined) {
    warnings.add('deletedAccount', key);
    return { ...none, use: 'DELETED' };
  }
  return { ...none, account, use: 'ACCOUNT' };
}

/** Keeps a grant of an account until all of them are known. */
function hold(
  { direct, inherited }: Principal,
  entitlement: number,
  entitlementId: string,
  ids: readonly string[],
  { entitlements, warnings }: GrantSurroundings,
): void {
  const sources = new Set<number>();
  let isDirect = false;
  for (const id of ids) {
    const source = id === entitlementId ? entitlement : entitlements.find(id);
    if (source === entitlement) {
      isDirect = true;
    } else if (source === undefined || source === leftOut) {
      warnings.add('unknownSource', id);
    } else {
      sources.add(source);
    }
  }
  if (isDirect || sources.size === 0) {
    direct.push(entitlement);
  }
  if (sources.size > 0) {
    inherited.set(entitlement, new Set([...sources, ...(inherited.get(entitlement) ?? [])]));
  }
  if (direct.length + inherited.size > maxHeld) {
    throw new C1zError(`an account in the file holds more than ${maxHeld} entitlements`);
  }
}

function sendPrincipal({ use, account, direct, inherited }: Principal, { entitlements, sender, warnings }: GrantSurroundings): void {
  if (use !== 'ACCOUNT') {
    return;
  }
  sender.account(account);
  for (const entitlement of direct.length + inherited.size === 0 ? [leftOut] : direct) {
    sender.grant(entitlement, '');
  }
  if (inherited.size === 0) {
    return;
  }
  const held = new Map<number, HeldGrant>(
    [...inherited].map(([entitlement, sources]) => [entitlement, { isDirect: false, sources: [...sources] }]),
  );
  for (const entitlement of direct) {
    held.set(entitlement, { isDirect: true, sources: held.get(entitlement)?.sources ?? [] });
  }
  for (const entitlement of inherited.keys()) {
    const { paths, isCut } = tracePaths(entitlement, held);
    if (isCut) {
      warnings.add('cutPaths', account[0] ?? '');
    }
    for (const path of paths) {
      sender.grant(entitlement, path.map((step) => entitlements.step(step)).join(' > '));
    }
  }
}

/** A grant of what is no account: its holders hold what is granted where it says so, and it is only counted where it does not. */
function sendLinks(
  entitlement: number,
  entitlementId: string,
  data: unknown,
  isExpansion: boolean,
  { entitlements, sender, warnings }: GrantSurroundings,
): void {
  const ids = readBlob(isExpansion ? readExpansion : readExpandable, data, 'a grant');
  if (ids === undefined || ids.length === 0) {
    warnings.add('otherPrincipal', entitlementId);
    return;
  }
  for (const id of new Set(ids)) {
    const from = entitlements.find(id);
    if (from === undefined || from === leftOut) {
      warnings.add('unknownLink', id);
    } else if (from !== entitlement) {
      sender.link(entitlement, entitlements.step(from));
    }
  }
}
