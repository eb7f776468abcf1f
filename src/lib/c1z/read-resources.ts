/** Resources of a c1z, found by type and id; those that are accounts are looked at first, for the attributes that they have. */
import { createResourceLookup, listResources, listTypes } from './store.ts';
import type { C1zDatabase } from './store-database.ts';
import { type Attributes, accountTraitOf } from './read-account.ts';
import { readResource, readTypeUse, type Resource, type TypeUse } from './read-resource.ts';
import { readBlob, textIn } from './texts.ts';
import type { Warnings } from './warnings.ts';

/** Resource types by id, and the number of rows. */
export function readTypes(db: C1zDatabase, syncId: string): ReadonlyMap<string, TypeUse> {
  const types = new Map<string, TypeUse>();
  for (const [id, data] of listTypes(db, syncId)) {
    db.countRow();
    types.set(textIn(id), readBlob(readTypeUse, data, 'a resource type'));
  }
  return types;
}

/** Looks at all resources for attributes of accounts; returns how many there are. */
export function seeResources(
  db: C1zDatabase,
  syncId: string,
  types: ReadonlyMap<string, TypeUse>,
  attributes: Attributes,
  warnings: Warnings,
): number {
  let count = 0;
  for (const [type, data] of listResources(db, syncId)) {
    db.countRow();
    count++;
    const resource = readBlob(readResource, data, 'a resource');
    const use = types.get(textIn(type));
    const trait = accountTraitOf(resource, use);
    if (trait !== undefined) {
      attributes.see(resource, trait);
    } else if (leftOutOf(resource, use) !== '') {
      warnings.addLeftOut(leftOutOf(resource, use));
    }
  }
  return count;
}

/** Plural of what a resource is that is not taken over; '' for any other. */
export function leftOutOf(resource: Resource, use: TypeUse | undefined): string {
  return resource.leftOut || (use?.leftOut ?? '');
}

/** A resource as it was found, with the one it lies below. */
export interface FoundResource {
  readonly resource: Resource;
  readonly parentType: string;
  readonly parentId: string;
}

/** Finds resources by type and id; undefined for one that the file lacks. */
export type FindResource = (type: string, id: string) => FoundResource | undefined;

/** Makes a search for resources. Throws a C1zError where the file has no index for it. */
export function createResourceSearch(db: C1zDatabase, syncId: string): FindResource {
  const find = createResourceLookup(db, syncId);
  return (type, id) => {
    const row = find(`${type}:${id}`);
    return row && { resource: readBlob(readResource, row[0], 'a resource'), parentType: textIn(row[1]), parentId: textIn(row[2]) };
  };
}
