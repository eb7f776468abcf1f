/** Updates with and without a mask, over every path of the contract. */
import type { DescField, DescMessage, JsonObject } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestOf } from '../../test/support/arbitrary-request.ts';
import { AccessReviewSchema } from '../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { AppSchema } from '../gen/c1/api/app/v1/app_pb.js';
import { PersonalClientSchema } from '../gen/c1/api/iam/v1/iam_pb.js';
import { PolicySchema } from '../gen/c1/api/policy/v1/policy_pb.js';
import type { AppError } from '../errors.ts';
import { applyUpdate } from './mask.ts';
import { fieldsByName, isOpenMessage, serverOwnedNames } from './plan.ts';
import { readRequest } from './read.ts';

const update = (current: JsonObject, incoming: JsonObject, mask?: readonly string[]): JsonObject =>
  applyUpdate(AccessReviewSchema, current, incoming, mask);

function refusal(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    return error as AppError;
  }
  throw new Error('nothing was refused');
}

describe('an update without a mask', () => {
  it('sets what is present and keeps the rest', () => {
    const current = { displayName: 'a', description: 'b', autoResolve: true };
    expect(update(current, { displayName: '', autoResolve: false })).toEqual({ displayName: '', description: 'b', autoResolve: false });
    expect(update(current, { displayName: 'c' }, [])).toEqual({ ...current, displayName: 'c' });
    expect(current.displayName).toBe('a');
  });

  it('replaces messages, maps and lists whole', () => {
    const current = { inclusionScope: { userIds: ['a'], noAccountOwners: true, multiUserProfileAttributes: { x: { values: [] } } } };
    expect(update(current, { inclusionScope: { userIds: ['b'] } })).toEqual({ inclusionScope: { userIds: ['b'] } });
  });

  it('ignores what the server owns', () => {
    expect(update({ id: 'a', createdAt: 'then' }, { id: 'b', createdAt: 'now', displayName: 'x' })).toEqual({
      id: 'a',
      createdAt: 'then',
      displayName: 'x',
    });
  });

  it('clears the other members of a oneof', () => {
    expect(update({ multiApp: { appEntitlements: {} } }, { singleApp: { appId: 'x' } })).toEqual({ singleApp: { appId: 'x' } });
    expect(update({ singleApp: { appId: 'x' } }, { bindings: {} })).toEqual({ bindings: {} });
  });
});

describe('an update with a mask', () => {
  it('sets exactly what it names, absent ones to unset', () => {
    const current = { displayName: 'a', description: 'b', policyId: 'c' };
    expect(update(current, { displayName: 'x', policyId: 'ignored' }, ['displayName', 'description'])).toEqual({
      displayName: 'x',
      policyId: 'c',
    });
  });

  it('reaches into messages', () => {
    const current = { inclusionScope: { userIds: ['a'], noAccountOwners: true } };
    expect(update(current, { inclusionScope: { userIds: ['b'] } }, ['inclusionScope.userIds'])).toEqual({
      inclusionScope: { userIds: ['b'], noAccountOwners: true },
    });
    expect(update(current, {}, ['inclusionScope.userIds'])).toEqual({ inclusionScope: { noAccountOwners: true } });
    expect(update({}, {}, ['inclusionScope.userIds'])).toEqual({});
    expect(update({}, { scopeV2: { userCriteria: { managerUserIds: ['x'] } } }, ['scopeV2.userCriteria.managerUserIds'])).toEqual({
      scopeV2: { userCriteria: { managerUserIds: ['x'] } },
    });
    expect(current).toEqual({ inclusionScope: { userIds: ['a'], noAccountOwners: true } });
  });

  it('lets a parent cover its children', () => {
    const current = { inclusionScope: { userIds: ['a'], noAccountOwners: true } };
    const incoming = { inclusionScope: { userIds: ['b'] } };
    for (const mask of [
      ['inclusionScope', 'inclusionScope.userIds'],
      ['inclusionScope.noAccountOwners', 'inclusionScope'],
    ]) {
      expect(update(current, incoming, mask)).toEqual(incoming);
    }
  });

  it('clears the other members of a oneof, also from below, but not for a member that stays unset', () => {
    expect(update({ bindings: {} }, { singleApp: { appId: 'x' } }, ['singleApp.appId'])).toEqual({ singleApp: { appId: 'x' } });
    expect(update({ bindings: {} }, {}, ['singleApp'])).toEqual({ bindings: {} });
    expect(update({ bindings: {} }, {}, ['bindings'])).toEqual({});
  });

  it('replaces all that may be written with *', () => {
    const current = { id: 'a', state: 'ACCESS_REVIEW_STATE_DRAFT', displayName: 'a', description: 'b', singleApp: {} };
    expect(update(current, { displayName: 'x', id: 'other' }, ['*'])).toEqual({
      id: 'a',
      state: 'ACCESS_REVIEW_STATE_DRAFT',
      displayName: 'x',
    });
  });

  it.each([
    ['nope', 'is not a field'],
    ['displayName.x', 'is not a field'],
    ['inclusionScope.nope', 'is not a field'],
    ['inclusionScope.multiUserProfileAttributes.key', 'is not a field'],
    ['completionDate.seconds', 'is not a field'],
    ['__proto__', 'is not a field'],
    ['id', 'by the server alone'],
    ['createdAt', 'by the server alone'],
    ['createdAt.seconds', 'by the server alone'],
  ])('refuses %s', (path, reason) => {
    const error = refusal(() => update({}, {}, ['displayName', path]));
    expect(error.status).toBe(400);
    expect(error.violations).toEqual([{ field: 'updateMask', description: expect.stringContaining(reason) }]);
    expect(error.message).toContain(path);
  });

  it('refuses wrong paths beside *, all at once', () => {
    expect(refusal(() => update({}, {}, ['*', 'nope', 'id'])).violations).toHaveLength(2);
  });

  it('refuses two members of one oneof, naming both', () => {
    for (const mask of [
      ['singleApp', 'multiApp'],
      ['singleApp.appId', 'bindings'],
      ['multiApp.appEntitlements', 'singleApp'],
    ]) {
      const { message } = refusal(() => update({}, {}, mask));
      expect(message).toContain(mask[0]);
      expect(message).toContain(mask[1]);
    }
    expect(() => update({}, {}, ['singleApp', 'singleApp.appId'])).not.toThrow();
  });

  it('lets a server-owned field be named where that asks for an action, and leaves it alone', () => {
    const current = { state: 'ACCESS_REVIEW_STATE_DRAFT' } as const;
    const next = applyUpdate(
      AccessReviewSchema,
      current,
      { state: 'ACCESS_REVIEW_STATE_OPEN', displayName: 'x' },
      ['state', 'displayName'],
      { actionPaths: ['state'] },
    );
    expect(next).toEqual({ state: 'ACCESS_REVIEW_STATE_DRAFT', displayName: 'x' });
  });

  it('keeps inside a replaced message what the server owns there', () => {
    const inner = AppSchema.fields.find(
      (field) => isOpenMessage(field) && serverOwnedNames(field.message).size > 0 && !serverOwnedNames(AppSchema).has(field.jsonName),
    );
    if (inner !== undefined && isOpenMessage(inner)) {
      const [owned] = serverOwnedNames(inner.message);
      const next: JsonObject = applyUpdate(
        AppSchema,
        { [inner.jsonName]: { [owned ?? '']: 'ours' } },
        { [inner.jsonName]: { [owned ?? '']: 'theirs' } },
        [inner.jsonName],
      );
      expect(next[inner.jsonName]).toEqual({ [owned ?? '']: 'ours' });
    }
  });
});

/** Every path of a message down to `depth`, with whether it may be named. */
function pathsOf(
  desc: DescMessage,
  depth: number,
  prefix = '',
  isOwned = false,
): { path: string; field: DescField; mayBeNamed: boolean }[] {
  return desc.fields.flatMap((field) => {
    const owned = isOwned || serverOwnedNames(desc).has(field.jsonName);
    const path = `${prefix}${field.jsonName}`;
    const inner = depth > 0 && isOpenMessage(field) ? pathsOf(field.message, depth - 1, `${path}.`, owned) : [];
    return [{ path, field, mayBeNamed: !owned }, ...inner];
  });
}

const get = (json: JsonObject, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as JsonObject | undefined)?.[name], json);

describe.each([AccessReviewSchema, AppSchema, PersonalClientSchema, PolicySchema].map((desc) => [desc.name, desc] as const))(
  'every path of %s',
  (_name, desc) => {
    const paths = pathsOf(desc, 3);

    it('is refused or sets exactly that', () => {
      fc.assert(
        fc.property(fc.constantFrom(...paths), requestOf(desc), requestOf(desc), ({ path, mayBeNamed }, current, incoming) => {
          if (!mayBeNamed) {
            expect(refusal(() => applyUpdate(desc, current, incoming, [path])).status).toBe(400);
            return;
          }
          const next: JsonObject = applyUpdate(desc, current, incoming, [path]);
          const last = fieldsByName(desc).get(path.split('.')[0] ?? '');
          if (last !== undefined && !(isOpenMessage(last) && path === last.jsonName)) {
            expect(get(next, path)).toEqual(get(incoming, path));
          }
          for (const field of desc.fields) {
            if (field !== last && field.oneof !== last?.oneof) {
              expect(next[field.jsonName]).toEqual(current[field.jsonName]);
            }
          }
          // What comes out is still a message that keeps the contract.
          expect(() => readRequest(desc, next)).not.toThrow();
        }),
        { numRuns: 500 },
      );
    });

    it('has been looked at', () => {
      expect(paths.filter(({ mayBeNamed }) => mayBeNamed).length).toBeGreaterThan(2);
      for (const { path, mayBeNamed } of paths.slice(0, 2000)) {
        const check = () => applyUpdate(desc, {}, {}, [path]);
        if (mayBeNamed) {
          check();
        } else {
          expect(check).toThrow();
        }
      }
    });
  },
);
