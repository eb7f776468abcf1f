/**
 * The objects at which views point, over HTTP: each path of the contract is listed here with the kind of object it brings, and whoever does not see that
 * object whole is brought its card. A path that is added fails until it is listed. What a card has is sight.ts.
 */
import type { DescMessage } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rolesByPermission } from '../../src/foundation/authority/index.ts';
import { type SightKind, sights } from '../../src/foundation/authority/sight.ts';
import type { RoleName } from '../../src/context.ts';
import { methodDemand } from '../../src/http/permissions.ts';
import type { Loose } from '../support/api.ts';
import { type MarkedWorld, startMarkedWorld } from '../support/marked-world.ts';
import { listOperations, type Operation, sampleOf, send } from '../support/operations.ts';

/** Kinds of objects by their type, for those that are seen whole or as a card. */
const kindOfType: Readonly<Record<string, SightKind>> = {
  'user.v1.User': 'person',
  'app.v1.App': 'app',
  'app.v1.AppResource': 'resource',
  'app.v1.AppEntitlement': 'entitlement',
  'app.v1.AppUser': 'account',
  'policy.v1.Policy': 'policy',
};

const none = 'points nowhere: no such object is published';

/** Each path field of the contract, and the type of what it points at. */
const listed: Readonly<Record<string, string>> = {
  accessEntitlementsPath: 'app.v1.AppEntitlement',
  accessReviewPath: 'accessreview.v1.AccessReview',
  appPath: 'app.v1.App',
  appResourcePath: 'app.v1.AppResource',
  appResourceTypePath: 'app.v1.AppResourceType',
  appUserLastUsagePath: none,
  appUserPath: 'app.v1.AppUser',
  approversPath: 'user.v1.User',
  capabilitiesPath: none,
  createdByUserPath: 'user.v1.User',
  delegatedUserPath: 'user.v1.User',
  directoriesPath: 'app.v1.App',
  entitlementPath: 'app.v1.AppEntitlement',
  entitlementsPath: 'app.v1.AppEntitlement',
  identityUserPath: 'user.v1.User',
  insightsPath: 'countersign.v1.TaskInsight',
  lastUsagePath: none,
  managersPath: 'user.v1.User',
  parentResourcePath: 'app.v1.AppResource',
  parentResourceTypePath: 'app.v1.AppResourceType',
  policyPath: 'policy.v1.Policy',
  principalResourcePath: 'app.v1.AppResource',
  resourceBindingsPath: none,
  resourceTypePath: 'app.v1.AppResourceType',
  roleResourcePath: none,
  rolesPath: 'iam.v1.Role',
  scopeResourcePath: none,
  stepApproversPath: 'user.v1.User',
  ticketPath: none,
  userPath: 'user.v1.User',
  usersPath: 'user.v1.User',
};

/** Paths whose objects no World has, or no Basic User in it comes to; what they bring is loaded by the loaders of other paths. */
const unreached: readonly string[] = [
  ...['directoriesPath', 'parentResourcePath', 'parentResourceTypePath', 'principalResourcePath', 'resourceTypePath', 'usersPath'],
];

const operations = await listOperations();

/** The path fields of a message and of the messages of the contract in it. */
function pathsIn(desc: DescMessage, seen = new Set<string>()): string[] {
  if (seen.has(desc.typeName)) {
    return [];
  }
  seen.add(desc.typeName);
  return desc.fields.flatMap((field) => {
    if (field.fieldKind === 'scalar' && field.name.endsWith('_path')) {
      return [field.jsonName];
    }
    return field.message === undefined || field.message.typeName.startsWith('google.') ? [] : pathsIn(field.message, seen);
  });
}

const has = (desc: DescMessage, name: string): boolean => desc.fields.some((field) => field.name === name);
const expanding = operations.filter(({ desc }) => has(desc.output, 'expanded'));
const isForAll = ({ desc }: Operation): boolean =>
  (rolesByPermission[methodDemand(desc).permission] as readonly RoleName[]).includes('BASIC_USER');
const pathsOf = (some: readonly Operation[]): string[] => [...new Set(some.flatMap(({ desc }) => pathsIn(desc.output)))].sort();

/** A path that points at an object, as a reply has it. */
interface Found {
  readonly path: string;
  readonly object: Loose;
}

/** The objects at which a reply points, by the path that does. */
function foundIn(part: unknown, expanded: readonly Loose[]): Found[] {
  if (Array.isArray(part)) {
    return part.flatMap((one) => foundIn(one, expanded));
  }
  if (typeof part !== 'object' || part === null) {
    return [];
  }
  return Object.entries(part).flatMap(([path, value]) => {
    const isPath = path.endsWith('Path') && typeof value === 'string' && value.startsWith('$.expanded');
    const indexes = isPath ? (value.match(/\d+/g) ?? []) : [];
    return [...foundIn(value, expanded), ...indexes.map((index) => ({ path, object: expanded[Number(index)] as Loose }))];
  });
}

const typeOf = (object: Loose): string => String(object['@type']).replace(/^type\.googleapis\.com\/(?:c1\.api\.)?/, '');

const isEmpty = (value: unknown): boolean =>
  ['', '0', 0, false, null, undefined].includes(value as string) ||
  (typeof value === 'string' && /(UNSPECIFIED|UNKNOWN)$/.test(value)) ||
  (typeof value === 'object' && Object.values(value as object).every(isEmpty));

/** The members of an object beyond its card. */
function beyondCard(kind: SightKind, object: Loose): string[] {
  const card: readonly string[] = ['@type', ...sights[kind].card];
  return Object.keys(object).filter((member) => !card.includes(member) && !isEmpty(object[member]));
}

describe('what views point at', () => {
  let made: MarkedWorld;
  const cards = new Set<string>();
  const brought = new Set<string>();

  beforeAll(async () => {
    made = await startMarkedWorld();
  }, 240_000);
  afterAll(() => made.server.stop());

  async function listOwnedApps(userId: string): Promise<ReadonlySet<string>> {
    const { db, tenantId } = made.server.system();
    const rows = await db.rows<{ id: string }>('SELECT app_id AS id FROM app_owners WHERE tenant_id = $1 AND user_id = $2', [
      tenantId,
      userId,
    ]);
    return new Set(rows.map(({ id }) => id));
  }

  it('is listed by its path, with its type', () => {
    expect(Object.keys(listed).sort()).toEqual(pathsOf(expanding));
  });

  it.each(expanding.filter(isForAll).map((operation) => [operation.name, operation] as const))('%s', async (_name, operation) => {
    const { server, world, readers } = made;
    const mask = has(operation.desc.input, 'expand_mask') ? { expandMask: { paths: ['*'] } } : {};
    for (const [name, { person }] of Object.entries(readers)) {
      const sample = await sampleOf(operation, world, person);
      const { body } = await send(server, person, operation, { ...sample, fields: { ...sample.fields, ...mask } });
      const owned = await listOwnedApps(person.id);
      for (const { path, object } of foundIn(body, body.expanded ?? [])) {
        expect([path, typeOf(object)]).toEqual([path, listed[path]]);
        brought.add(path);
        const kind = kindOfType[typeOf(object)];
        const isOwn = [object.id, object.identityUserId].includes(person.id) || owned.has(object.appId ?? object.id);
        if (kind !== undefined && !isOwn) {
          expect([name, path, beyondCard(kind, object)]).toEqual([name, path, []]);
          cards.add(kind);
        }
      }
    }
  });

  it('was brought to somebody at every path that Basic Users reach, and as a card of each kind', () => {
    const reached = pathsOf(expanding.filter(isForAll)).filter((path) => listed[path] !== none);
    expect(reached.filter((path) => !brought.has(path))).toEqual(unreached);
    expect([...cards].sort()).toEqual(Object.keys(sights).sort());
  });
});
