/**
 * Which attributes a PATCH may not touch: those the server owns (RFC 7644 section 3.5.2).
 */
import type { PatchOperation } from './apply-patch.ts';
import { ScimError } from './errors.ts';
import type { ResourceKind } from './store-resources.ts';

const owned: Readonly<Record<ResourceKind, ReadonlySet<string>>> = {
  USER: new Set(['id', 'meta', 'groups']),
  GROUP: new Set(['id', 'meta']),
};

/** 400 mutability where an operation is aimed at an attribute of the server's. In a value without a path they are ignored, as in a PUT. */
export function refuseOwned(kind: ResourceKind, operations: readonly PatchOperation[]): void {
  for (const { path } of operations) {
    if (path !== undefined && path.urn === '' && owned[kind].has(path.attribute.toLowerCase())) {
      throw new ScimError(400, 'mutability', `${path.attribute} belongs to the server and cannot be changed.`);
    }
  }
}
