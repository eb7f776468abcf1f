/**
 * Every path of every expand mask, over HTTP: it brings exactly its objects, each once and with its type, and the view points there.
 * Which operations expand and which path fields their views have is read from the contract; what they bring stands in
 * test/support/expansions. Those of tasks are held to the same in decisions.test.ts.
 */
import type { DescMessage } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Loose } from '../support/api.ts';
import { catalogExpansions } from '../support/expansions/catalog.ts';
import type { Expansion, Target } from '../support/expansions/expansion.ts';
import { expansionsOutsideCatalog } from '../support/expansions/outside-catalog.ts';
import { type Filled, fillStage } from '../support/filters/filled.ts';
import { listOperations } from '../support/operations.ts';
import { valueAt } from '../support/sample-message.ts';
import { openStage, type Stage } from '../support/stage.ts';

const expansions: readonly Expansion[] = [...catalogExpansions, ...expansionsOutsideCatalog];
const operations = await listOperations();
const camel = (path: string): string => path.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/** The path fields of a message and of the messages of the contract in it. */
function pointersOf(desc: DescMessage, prefix = '', seen: readonly string[] = []): string[] {
  return desc.fields.flatMap((field) => {
    const path = `${prefix}${field.jsonName}`;
    if (field.fieldKind === 'scalar' && field.name.endsWith('_path')) {
      return [path];
    }
    const inner = field.message;
    const isOurs = inner !== undefined && !inner.typeName.startsWith('google.') && !seen.includes(inner.typeName);
    return isOurs ? pointersOf(inner, `${path}.`, [...seen, inner.typeName]) : [];
  });
}

describe('expansion', () => {
  let stage: Stage;
  let filled: Filled;
  let count = 0;

  const send = async (expansion: Expansion, paths?: readonly string[]): Promise<{ view: Loose; expanded: Loose[] }> => {
    count += 1;
    const sample = await expansion.make(filled, `Expanded ${count}`);
    const mask = paths === undefined ? {} : { expandMask: { paths } };
    const body = await stage.ok(expansion.operation, { ...sample, fields: { ...sample.fields, ...mask } });
    const found = body[expansion.view];
    return { view: Array.isArray(found) ? found[0] : found, expanded: body.expanded };
  };
  const pointersIn = ({ operation, view }: Expansion): string[] => {
    const output = operations.find(({ name }) => name === operation)?.desc.output;
    const field = output?.fields.find(({ jsonName }) => jsonName === view);
    return field?.message === undefined ? [] : pointersOf(field.message);
  };
  /** Targets of a path field: one object, or several as in $.expanded[0,2]. */
  const pointed = (expanded: readonly Loose[], pointer: unknown): string[] =>
    (/^\$\.expanded\[(\d+(?:,\d+)*)\]$/.exec(String(pointer))?.[1] ?? '')
      .split(',')
      .filter((index) => index !== '')
      .map((index) => expanded[Number(index)]?.id);
  const expectBrought = (expanded: readonly Loose[], targets: readonly Target[]): void => {
    const wanted = targets.flatMap(({ type, ids }) => ids.map((id) => `type.googleapis.com/c1.api.${type} ${id}`));
    expect(expanded.map((one) => `${one['@type']} ${one.id}`).sort()).toEqual([...new Set(wanted)].sort());
  };

  beforeAll(async () => {
    stage = await openStage();
    filled = await fillStage(stage);
  }, 240_000);
  afterAll(() => stage.stop());

  it('of every operation that has an expand mask is here', () => {
    const known = operations
      .filter(({ name, desc }) => !/^(Certify)?Task/.test(name) && desc.input.fields.some(({ name: field }) => field === 'expand_mask'))
      .map(({ name }) => name);
    expect(expansions.map(({ operation }) => operation).sort()).toEqual(known.sort());
  });

  it('knows every path that the documents name', () => {
    const documented: Readonly<Record<string, readonly string[]>> = {
      'AppEntitlementSearchService.search': ['app_id', 'app_resource_type_id', 'app_resource_id'],
      'AppResourceService.update': ['app_id', 'app_resource_type_id'],
      'AppUserService.search': ['identity_user_id', 'app_id'],
      'UserService.search': ['role_ids', 'manager_ids', 'delegated_user_id', 'directory_ids'],
      'RequestCatalogManagementService.update': ['created_by_user_id', 'app_ids', 'access_entitlements'],
      'AccessReviewService.update': ['policy_id', 'created_by_id', 'access_review_template_id', 'app_ids'],
    };
    for (const [operation, paths] of Object.entries(documented)) {
      const targets = expansions.find((one) => one.operation === operation)?.targets(filled) ?? {};
      expect(Object.keys(targets)).toEqual(expect.arrayContaining([...paths]));
    }
  });

  it('brings what reading each object answers', async () => {
    const { filingId } = filled;
    const read: Readonly<Record<string, (one: Loose) => Promise<Loose>>> = {
      'app.v1.App': async ({ id }) => (await stage.ok('AppService.get', { path: { id } })).app,
      'app.v1.AppResourceType': async ({ id }) =>
        (await stage.ok('AppResourceTypeService.get', { path: { app_id: filingId, id } })).appResourceTypeView.appResourceType,
      'app.v1.AppResource': async ({ id, appResourceTypeId }) =>
        (await stage.ok('AppResourceService.get', { path: { app_id: filingId, app_resource_type_id: appResourceTypeId, id } }))
          .appResourceView.appResource,
      'app.v1.AppEntitlement': async ({ id, appId }) =>
        (await stage.ok('AppEntitlementService.get', { path: { app_id: appId, id } })).appEntitlementView.appEntitlement,
      'app.v1.AppUser': async ({ id }) =>
        (await stage.ok('AppUserService.search', { fields: { appUserIds: [id], appUserStatuses: ['STATUS_ENABLED', 'STATUS_DELETED'] } }))
          .list[0].appUser,
      'user.v1.User': async ({ id }) => (await stage.ok('UserService.get', { path: { id } })).userView.user,
      'iam.v1.Role': async ({ id }) => (await stage.ok('RoleService.get', { path: { role_id: id } })).role,
      'accessreview.v1.AccessReviewTemplate': async ({ id }) =>
        (await stage.ok('AccessReviewTemplateService.get', { path: { id } })).accessReviewTemplate,
      'policy.v1.Policy': async ({ id }) => (await stage.ok('PolicyService.get', { path: { id } })).policy,
    };
    const seen = new Set<string>();
    for (const expansion of expansions) {
      for (const { '@type': type, ...object } of (await send(expansion, ['*'])).expanded) {
        const name = String(type).replace('type.googleapis.com/c1.api.', '');
        seen.add(name);
        expect([expansion.operation, name, object]).toEqual([expansion.operation, name, await read[name]?.(object)]);
      }
    }
    expect([...seen].sort()).toEqual(Object.keys(read).sort());
  });

  describe.each(expansions.map((expansion) => [expansion.operation, expansion] as const))('of %s', (_name, expansion) => {
    it('has a path for each path field of its view', () => {
      const points = Object.values(expansion.targets(filled)).flatMap(({ points: field }) => field ?? []);
      const covered = [...points, ...Object.keys(expansion.never ?? {})];
      const inside = pointersIn(expansion).filter((pointer) => !covered.some((one) => one === pointer || one.endsWith(`.${pointer}`)));
      // The account of a grant has its app beside that of the entitlement.
      expect(inside.filter((pointer) => pointer !== 'appEntitlementUserBinding.appUser.appPath')).toEqual([]);
      expect(covered.filter((one) => !pointersIn(expansion).includes(one))).toEqual([]);
    });

    it('brings nothing unless asked, and for a path that means nothing', async () => {
      for (const paths of [undefined, [], ['nothing']]) {
        const { view, expanded } = await send(expansion, paths);
        expect(expanded).toEqual([]);
        expect(pointersIn(expansion).map((pointer) => valueAt(view, pointer))).toEqual(pointersIn(expansion).map(() => ''));
      }
    });

    it('brings exactly what each path asks for, in either spelling, and points there', async () => {
      for (const [path, target] of Object.entries(expansion.targets(filled))) {
        for (const spelling of new Set([path, camel(path)])) {
          const { view, expanded } = await send(expansion, [spelling]);
          expectBrought(expanded, [target]);
          for (const pointer of pointersIn(expansion)) {
            const isIts = pointer === target.points || pointer.endsWith('.appPath');
            const found = pointed(expanded, valueAt(view, pointer)).sort();
            expect([spelling, pointer, found]).toEqual([
              spelling,
              pointer,
              pointer === target.points ? [...target.ids].sort() : isIts ? found : [],
            ]);
          }
        }
      }
    });

    it('brings everything for *, each object once', async () => {
      const targets = Object.values(expansion.targets(filled));
      for (const paths of [['*'], Object.keys(expansion.targets(filled))]) {
        const { view, expanded } = await send(expansion, paths);
        expectBrought(expanded, targets);
        for (const { points, ids } of targets) {
          if (points !== undefined) {
            expect([points, pointed(expanded, valueAt(view, points)).sort()]).toEqual([points, [...ids].sort()]);
          }
        }
        for (const pointer of Object.keys(expansion.never ?? {})) {
          expect([pointer, valueAt(view, pointer)]).toEqual([pointer, '']);
        }
      }
    });
  });
});
