/**
 * Part of a request about the members of a group, and what is left of it for the rest of the resource. Groups are large, so the operations of a
 * PATCH are folded into one change of a set, without looking at who is in it. Pure.
 */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { type Filter, type PatchOperation, ScimError, findMember, isObject } from './document/index.ts';

/** A change of a group's members, by SCIM ids. Nobody is both added and removed. */
export interface MemberChange {
  /** Whoever is not added goes. */
  readonly replacesAll: boolean;
  readonly added: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

const members = 'members';

/** The members a whole group names, as a change: these and nobody else. */
export function readMembers(body: JsonObject): MemberChange {
  const key = findMember(body, members);
  return { replacesAll: true, added: new Set(key === undefined ? [] : idsOf(body[key])), removed: new Set() };
}

/** Splits the operations of a PATCH into what they do to the members, in order, and the others. */
export function splitOperations(operations: readonly PatchOperation[]): { change: MemberChange; others: PatchOperation[] } {
  let replacesAll = false;
  const added = new Set<string>();
  const removed = new Set<string>();
  const others: PatchOperation[] = [];
  const clear = (): void => {
    replacesAll = true;
    added.clear();
    removed.clear();
  };
  const move = (ids: readonly string[], to: Set<string>, from: Set<string>): void => {
    for (const id of ids) {
      from.delete(id);
      to.add(id);
    }
  };
  const apply = (op: PatchOperation['op'], value: JsonValue | undefined): void => {
    if (op === 'replace') {
      clear();
    }
    move(idsOf(value), added, removed);
  };
  for (const operation of operations) {
    const { op, path, value } = operation;
    if (path === undefined && isObject(value)) {
      const key = findMember(value, members);
      const { [key ?? '']: named, ...rest } = value;
      if (key !== undefined) {
        apply(op, named);
      }
      if (Object.keys(rest).length > 0) {
        others.push({ ...operation, value: rest });
      }
    } else if (path?.attribute.toLowerCase() !== members || path.urn !== '') {
      others.push(operation);
    } else if (path.sub !== '' && path.sub.toLowerCase() !== 'value') {
      throw new ScimError(400, 'mutability', `members.${path.sub} follows from the member and cannot be changed.`);
    } else if (path.filter !== undefined) {
      if (op !== 'remove') {
        throw new ScimError(
          400,
          'invalidPath',
          'A filter on members selects whom to remove; add and replace take the members as their value.',
        );
      }
      move(idsIn(path.filter), removed, added);
    } else if (op !== 'remove') {
      apply(op, value);
    } else if (value === undefined) {
      clear();
    } else {
      move(idsOf(value), removed, added);
    }
  }
  return { change: { replacesAll, added, removed }, others };
}

/** The ids in a value: a list of {value}, one of them, or plain ids. */
function idsOf(value: JsonValue | undefined): string[] {
  const list = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
  return list.map((one, index) => {
    const id = isObject(one) ? one[findMember(one, 'value') ?? ''] : one;
    if (typeof id !== 'string' || id === '') {
      throw new ScimError(400, 'invalidValue', `members[${index}].value must be the id of a user.`);
    }
    if (isObject(one) && String(one[findMember(one, 'type') ?? ''] ?? 'User').toLowerCase() === 'group') {
      throw new ScimError(
        400,
        'invalidValue',
        `members[${index}] is a group: groups within groups are not supported. Push their users instead.`,
      );
    }
    return id;
  });
}

/** The ids a filter names: value eq "id", several of them joined by or. */
function idsIn(filter: Filter): string[] {
  if (filter.kind === 'or') {
    return [...idsIn(filter.left), ...idsIn(filter.right)];
  }
  if (filter.kind === 'compare' && filter.path === 'value' && filter.operator === 'eq' && typeof filter.value === 'string') {
    return [filter.value];
  }
  throw new ScimError(400, 'invalidFilter', 'Select members with members[value eq "id"], several of them joined by or.');
}
