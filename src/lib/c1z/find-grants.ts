/** Finds single grants and accounts in the database of a c1z, with the bytes that the connector wrote: what it is asked to remove again. */
import { WireType } from '@bufbuild/protobuf/wire';
import { chooseSync } from './choose-sync.ts';
import type { FoundInC1z, WantedInC1z } from './messages.ts';
import { accountKeyOf } from './read-account.ts';
import { readSources } from './read-grant.ts';
import { createResourceLookup, listEntitlements, listGrants } from './store.ts';
import type { C1zDatabase } from './store-database.ts';
import { cleanText, readBlob, textIn } from './texts.ts';
import { readAnnotation, readFields } from './wire.ts';

/** Largest grant that is given back: connectors take messages of 4 MiB. */
const maxGrantBytes = 1024 ** 2;
const annotationsOf = { grant: 4, entitlement: 6 } as const;

/** Finds each of these; undefined for what the file lacks. */
export function findWanted(db: C1zDatabase, wanted: readonly WantedInC1z[]): (FoundInC1z | undefined)[] {
  const { id } = chooseSync(db);
  const found = new Array<FoundInC1z | undefined>(wanted.length).fill(undefined);
  const places = new Map<string, Map<string, number[]>>();
  for (const [at, one] of wanted.entries()) {
    if (one.kind === 'ACCOUNT') {
      found[at] = findAccount(db, id, one.account);
    } else {
      const accounts = places.get(one.entitlement) ?? new Map<string, number[]>();
      places.set(one.entitlement, accounts.set(one.account, [...(accounts.get(one.account) ?? []), at]));
    }
  }
  if (places.size > 0) {
    const immutable = findImmutable(db, id, places);
    for (const row of listGrants(db, id)) {
      db.countRow();
      const entitlement = cleanText(textIn(row[2]));
      const accounts = places.get(entitlement);
      if (accounts !== undefined) {
        const key = cleanText(accountKeyOf(textIn(row[0]), textIn(row[1])));
        for (const at of accounts.get(key) ?? []) {
          const grant = readGrant(row[3], textIn(row[2]), immutable.has(entitlement));
          const known = found[at];
          found[at] = known?.kind === 'GRANT' && known.isDirect ? known : grant;
        }
      }
    }
  }
  return found;
}

/** The wanted entitlements that may not be taken away from anybody. */
function findImmutable(db: C1zDatabase, syncId: string, wanted: ReadonlyMap<string, unknown>): ReadonlySet<string> {
  const immutable = new Set<string>();
  for (const row of listEntitlements(db, syncId)) {
    db.countRow();
    const id = cleanText(textIn(row[0]));
    if (
      wanted.has(id) &&
      readBlob((data) => hasAnnotation(data, annotationsOf.entitlement, 'EntitlementImmutable'), row[3], 'an entitlement')
    ) {
      immutable.add(id);
    }
  }
  return immutable;
}

function readGrant(data: unknown, entitlementId: string, isImmutable: boolean): FoundInC1z | undefined {
  const { sources, isFixed } = readBlob(
    (bytes) => ({ sources: readSources(bytes), isFixed: hasAnnotation(bytes, annotationsOf.grant, 'GrantImmutable') }),
    data,
    'a grant',
  );
  const bytes = data as Uint8Array<ArrayBuffer>;
  if (bytes.length > maxGrantBytes) {
    return undefined;
  }
  const isDirect = sources.length === 0 || sources.includes(entitlementId);
  return { kind: 'GRANT', isDirect, isImmutable: isImmutable || isFixed, bytes: bytes.slice() };
}

function hasAnnotation(data: Uint8Array, field: number, wanted: string): boolean {
  let has = false;
  readFields(data, (no, reader, type) => {
    if (no !== field || type !== WireType.LengthDelimited) {
      return false;
    }
    has = readAnnotation(reader.bytes()).type === wanted || has;
    return true;
  });
  return has;
}

/** The resource that an account is: of the type `user` by its id alone, else by type and id. */
function findAccount(db: C1zDatabase, syncId: string, account: string): FoundInC1z | undefined {
  const find = createResourceLookup(db, syncId);
  const colon = account.indexOf(':');
  const candidates: [string, string][] = [['user', account]];
  if (colon > 0) {
    candidates.push([account.slice(0, colon), account.slice(colon + 1)]);
  }
  for (const [type, id] of candidates) {
    const row = find(`${type}:${id}`);
    if (row !== undefined) {
      return { kind: 'ACCOUNT', type, id, parentType: textIn(row[1]), parentId: textIn(row[2]) };
    }
  }
  return undefined;
}
