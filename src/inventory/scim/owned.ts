/** Attributes that a PATCH may not touch: those the server owns, and those a resource cannot be without (RFC 7644 section 3.5.2). */
import { type PatchOperation, type ResourceKind, ScimError } from './document/index.ts';

const owned: Readonly<Record<ResourceKind, ReadonlySet<string>>> = {
  USER: new Set(['id', 'meta', 'groups']),
  GROUP: new Set(['id', 'meta']),
};
const required: Readonly<Record<ResourceKind, string>> = { USER: 'username', GROUP: 'displayname' };

/**
 * 400 mutability where an operation is aimed at an attribute of the server's, or removes one that must be there. In a value without a path
 * the server's are ignored, as in a PUT.
 */
export function refuseOwned(kind: ResourceKind, operations: readonly PatchOperation[]): void {
  for (const { op, path } of operations) {
    if (path === undefined || path.urn !== '') {
      continue;
    }
    const name = path.attribute.toLowerCase();
    if (owned[kind].has(name)) {
      throw new ScimError(400, 'mutability', `${path.attribute} belongs to the server and cannot be changed.`);
    }
    if (op === 'remove' && name === required[kind]) {
      throw new ScimError(400, 'mutability', `${path.attribute} is needed and cannot be removed.`);
    }
  }
}
