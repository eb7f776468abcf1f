/** Entitlements of a c1z, each once, whether somebody holds it or not. */
import { keyColumns } from './messages.ts';
import { listEntitlements } from './store.ts';
import type { C1zDatabase } from './store-database.ts';
import { readEntitlement } from './read-grant.ts';
import type { TypeUse } from './read-resource.ts';
import { type FindResource, type FoundResource, leftOutOf } from './read-resources.ts';
import type { RowSender } from './row-sender.ts';
import { cleanRow, readBlob, textIn } from './texts.ts';
import { writeStep } from './trace-paths.ts';
import type { Warnings } from './warnings.ts';

/** Number of an entitlement whose resource is not taken over. */
export const leftOut = -1;

/** Entitlements of a file. */
export interface Entitlements {
  /** Number of an entitlement by its id in the file; `leftOut` for one that is not taken over, undefined for one that the file lacks. */
  find(id: string): number | undefined;
  /** An entitlement as a step of a path. */
  step(number: number): string;
  readonly count: number;
}

/** Sends all entitlements of a sync. */
export function readEntitlements(
  db: C1zDatabase,
  syncId: string,
  {
    types,
    findResource,
    sender,
    warnings,
  }: {
    readonly types: ReadonlyMap<string, TypeUse>;
    readonly findResource: FindResource;
    readonly sender: RowSender;
    readonly warnings: Warnings;
  },
): Entitlements {
  const numbers = new Map<string, number>();
  const keys: (readonly string[])[] = [];
  let count = 0;
  let last:
    | { readonly type: string; readonly id: string; readonly found: FoundResource | undefined; readonly parent: readonly string[] }
    | undefined;
  for (const row of listEntitlements(db, syncId)) {
    db.countRow();
    count++;
    const [id, type, resourceId] = row.map(textIn) as [string, string, string];
    if (last?.type !== type || last.id !== resourceId) {
      const found = findResource(type, resourceId);
      last = { type, id: resourceId, found, parent: found === undefined ? [] : parentOf(found, type, resourceId, findResource) };
    }
    if (last.found === undefined || id === '' || type === '' || resourceId === '') {
      warnings.add('missingResource', id);
      continue;
    }
    const { resource } = last.found;
    if (leftOutOf(resource, types.get(type)) !== '') {
      numbers.set(id, leftOut);
      continue;
    }
    const { name, description, purpose } = readBlob(readEntitlement, row[3], 'an entitlement');
    const texts = [type, resourceId, id, resource.name, resource.description, name, description, purpose, ...last.parent];
    const cleaned = cleanRow(texts, `the entitlement ${JSON.stringify(id.slice(0, 100))}`);
    const key = cleaned.slice(0, keyColumns.length);
    numbers.set(id, keys.length);
    keys.push(key);
    sender.entitlement(key, cleaned.slice(keyColumns.length));
  }
  return { find: (id) => numbers.get(id), step: (number) => writeStep(keys[number] as readonly string[]), count };
}

/** Type and id of the resource that a resource lies below, where the file has it; else two empty texts. */
function parentOf({ parentType, parentId }: FoundResource, type: string, id: string, findResource: FindResource): readonly string[] {
  const isOwn = parentType === type && parentId === id;
  const isThere = parentType !== '' && parentId !== '' && !isOwn && findResource(parentType, parentId) !== undefined;
  return isThere ? [parentType, parentId] : ['', ''];
}
