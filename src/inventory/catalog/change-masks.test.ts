/**
 * Updates of apps, entitlements, resources and resource types with any masks over any of their members, beside a plain model: what the mask
 * names is as sent, what it does not name stays, and what did not change is no event.
 */
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { useTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import type { Context } from '../../context.ts';
import { AppEntitlementSchema, AppResourceSchema, AppResourceTypeSchema, AppSchema } from '../../gen/c1/api/app/v1/app_pb.js';
import { shape } from '../../wire/reply.ts';
import { changeApp } from './apps/change-app.ts';
import { changeEntitlement } from './entitlements/change-entitlement.ts';
import { changeResource, createResource } from './entitlements/change-resource.ts';
import { changeResourceType, createResourceType } from './entitlements/change-resource-type.ts';
import { createApp } from './apps/create-app.ts';
import { createEntitlement } from './entitlements/create-entitlement.ts';
import { loadSight } from './record/sight.ts';
import { shapeApp, shapeResource } from './record/view.ts';
import { shapeEntitlement } from './record/view-entitlements.ts';

type Members = Readonly<Record<string, fc.Arbitrary<JsonValue>>>;
type Update = (sent: JsonObject, mask: readonly string[] | undefined) => Promise<JsonObject>;

const text = fc.constantFrom('', 'one', 'two', 'Drei');
/** A name is never empty, and the same in other spaces. */
const name = (label: string): fc.Arbitrary<string> => fc.constantFrom('A', 'B', 'C').map((letter) => `${label} ${letter}`);
const words = fc.dictionary(fc.constantFrom('a', 'b'), text, { noNullPrototype: true });
const flag = fc.boolean();

/** Things that are changed, each with the members a client may write and what an unset one is. */
const things: Record<
  string,
  { members: Members; defaults: JsonObject; start: (context: Context, label: string) => Promise<[string, Update]> }
> = {
  'an app': {
    members: {
      displayName: name('app'),
      description: text,
      instructions: text,
      iconUrl: text,
      annotations: words,
      monthlyCostUsd: fc.integer({ min: -5, max: 5 }),
      identityMatching: fc.constantFrom('APP_USER_IDENTITY_MATCHING_STRICT', 'APP_USER_IDENTITY_MATCHING_CUSTOM'),
      isManuallyManaged: flag,
      defaultRequestCatalogId: text,
    },
    defaults: { monthlyCostUsd: 0, identityMatching: 'APP_USER_IDENTITY_MATCHING_UNSPECIFIED', isManuallyManaged: false, annotations: {} },
    start: async (context, label) => {
      const { id } = await createApp(context, { displayName: label }, []);
      return [
        id,
        async (sent, mask) =>
          shape(AppSchema, shapeApp(await loadSight(context), await changeApp(context, id, sent, mask), [])) as JsonObject,
      ];
    },
  },
  'an entitlement': {
    members: {
      displayName: name('entitlement'),
      description: text,
      slug: text,
      annotations: words,
      purpose: fc.constantFrom('APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION', 'APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP'),
      requestSchemaId: text,
      emergencyGrantEnabled: flag,
      overrideAccessRequestsDefaults: flag,
      matchBatonId: text,
    },
    defaults: {
      purpose: 'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT',
      emergencyGrantEnabled: false,
      overrideAccessRequestsDefaults: false,
      annotations: {},
    },
    start: async (context, label) => {
      const { id: appId } = await createApp(context, { displayName: label }, []);
      const { id } = await createEntitlement(context, appId, { displayName: label }, []);
      const update: Update = async (sent, mask) =>
        shape(
          AppEntitlementSchema,
          shapeEntitlement(
            await loadSight(context),
            await changeEntitlement(context, appId, id, { sent, mask, overrideAccessRequestsDefaults: undefined }),
          ),
        ) as JsonObject;
      return [id, update];
    },
  },
  'a resource': {
    members: {
      displayName: name('resource'),
      description: text,
      customDescription: text,
      annotations: words,
      accessConfigId: text,
      matchBatonId: text,
    },
    defaults: { annotations: {} },
    start: async (context, label) => {
      const { id: appId } = await createApp(context, { displayName: label }, []);
      const { id: appResourceTypeId } = await createResourceType(context, appId, label, 'role');
      const { id } = await createResource(context, appId, appResourceTypeId, { displayName: label }, []);
      const update: Update = async (sent, mask) =>
        shape(
          AppResourceSchema,
          shapeResource(await loadSight(context), await changeResource(context, { appId, appResourceTypeId, id }, sent, mask)),
        ) as JsonObject;
      return [id, update];
    },
  },
  'a resource type': {
    members: { displayName: name('type'), traitIds: fc.subarray(['role', 'group', 'vault']) },
    defaults: { traitIds: [] },
    start: async (context, label) => {
      const { id: appId } = await createApp(context, { displayName: label }, []);
      const { id } = await createResourceType(context, appId, label, 'role');
      return [
        id,
        async (sent, mask) => shape(AppResourceTypeSchema, await changeResourceType(context, appId, id, sent, mask)) as JsonObject,
      ];
    },
  },
};

/** An update: some members, and a mask that names some; it names displayName only where it is sent, since no name is refused. */
function arbitraryUpdate(members: Members): fc.Arbitrary<{ sent: JsonObject; mask: string[] | undefined }> {
  const names = Object.keys(members);
  const sent = fc
    .subarray(names)
    .chain((chosen) => fc.record(Object.fromEntries(chosen.map((one) => [one, members[one] as fc.Arbitrary<JsonValue>]))));
  const mask: fc.Arbitrary<string[] | undefined> = fc.oneof(
    fc.constantFrom<string[] | undefined>(undefined, [], ['*']),
    fc.subarray(names),
    fc.shuffledSubarray(names),
  );
  return fc.record({ sent: sent.map((fields) => ({ ...fields }) as JsonObject), mask }).map((update) => {
    const hasName = 'displayName' in update.sent;
    const needsName = update.mask?.includes('*') === true || update.mask?.includes('displayName') === true;
    return needsName && !hasName ? { ...update, mask: update.mask?.filter((one) => one !== '*' && one !== 'displayName') } : update;
  });
}

describe.each(Object.entries(things))('an update of %s', (_kind, { members, defaults, start }) => {
  let two: TwoTenants;
  let round = 0;
  beforeAll(async () => {
    two = await useTwoTenants();
  });
  afterAll(() => two.close());

  it('sets what its mask names, and says what changed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryUpdate(members), { minLength: 1, maxLength: 5 }), async (updates) => {
        const context = two.ours.admin;
        const label = `Round ${++round}`;
        const [id, update] = await start(context, label);
        const model: JsonObject = pick(await update({}, undefined));
        let changes = 0;
        for (const { sent: fields, mask } of updates) {
          // Names are of one thing alone in the tenant.
          const sent = 'displayName' in fields ? { ...fields, displayName: ` ${fields.displayName} ${label} ` } : fields;
          const before = structuredClone(model);
          const named = mask === undefined || mask.length === 0 ? Object.keys(sent) : mask.includes('*') ? Object.keys(members) : mask;
          for (const member of named) {
            const value = sent[member] ?? defaults[member] ?? '';
            model[member] = member === 'displayName' ? String(value).trim() : value;
          }
          changes += isDeepStrictEqual(before, model) ? 0 : 1;
          expect(pick(await update(sent, mask))).toEqual(model);
        }
        expect(pick(await update({}, undefined))).toEqual(model);
        const events = await context.db.rows<{ data: { fields: string[]; from: JsonObject; to: JsonObject } }>(
          `SELECT data FROM events WHERE tenant_id = $1 AND target_id = $2 AND kind LIKE '%.updated' ORDER BY id`,
          [context.tenantId, id],
        );
        expect(events).toHaveLength(changes);
        for (const { data } of events) {
          expect(data.fields.length).toBeGreaterThan(0);
          expect(data.fields.filter((one) => isDeepStrictEqual(data.from[one], data.to[one]))).toEqual([]);
        }
      }),
      { numRuns: runs(8, 25) },
    );
  }, 300_000);

  /** The members of the model. */
  function pick(shown: JsonObject): JsonObject {
    return Object.fromEntries(Object.keys(members).map((member) => [member, shown[member] ?? '']));
  }
});
