/**
 * Sample requests of the operations about templates of reviews.
 */
import type { Kind } from '../kinds/kind.ts';
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

/** A new template that the world's owner owns, over the first twelve entitlements of its app. */
async function makeTemplate(world: World, body: object = {}): Promise<string> {
  const call = async (method: string, path: string, sent?: unknown) => (await world.call(world.tenant.admin, method, path, sent)).body;
  const fields = { displayName: 'Template', ownerIds: [world.owner.id], ...body };
  const made = await world.call(world.creator, 'POST', '/api/v1/access_review_template', fields);
  const { id } = made.body.accessReviewTemplate;
  const { list } = await call('GET', `/api/v1/apps/${world.appId}/entitlements?page_size=12`);
  await call('POST', `/api/v1/access_review_template/${id}/scope_and_entitlements`, {
    entitlements: list.map((row: { appEntitlement: { id: string } }) => ({ appId: world.appId, appEntitlementId: row.appEntitlement.id })),
  });
  return id;
}

/** A template of which an administrator chose all of a list, to be shortened to the first: owners who may not make reviews only narrow. */
async function narrowIn(world: World, method: string, path: string, list: string, entries: readonly unknown[]) {
  const id = await makeTemplate(world);
  await world.call(world.tenant.admin, method, `/api/v1/access_review_template/${id}/${path}`, { [list]: entries });
  return { path: { access_review_template_id: id }, fields: { [list]: entries.slice(0, 1) } };
}

const ofTemplate =
  (fields: object = {}): MakeSample =>
  async (world) => {
    const id = await makeTemplate(world);
    return { path: { id, access_review_template_id: id }, fields: { ...fields } };
  };

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'AccessReviewTemplateService.create': () => ({ fields: { displayName: 'Made' } }),
  'AccessReviewTemplateService.delete': ofTemplate(),
  'AccessReviewTemplateService.get': ofTemplate(),
  'AccessReviewTemplateService.update': ofTemplate({ accessReviewTemplate: { description: 'Changed' } }),
  'AccessReviewTemplateSetupEntitlementService.getScopeAndEntitlements': ofTemplate(),
  'AccessReviewTemplateSetupEntitlementService.setScopeAndEntitlements': (world) =>
    narrowIn(world, 'POST', 'scope_and_entitlements', 'entitlements', [
      { appId: world.appId, appEntitlementId: world.entitlementId },
      { appId: world.userId, appEntitlementId: world.entitlementId },
    ]),
  'AccessReviewTemplateSetupEntitlementService.setScopeByResourceType': (world) =>
    narrowIn(world, 'POST', 'scope_by_resource_type', 'resourceTypeSelections', [
      { appId: world.appId, resourceTypeId: world.resourceTypeId },
      { appId: world.userId, resourceTypeId: world.resourceTypeId },
    ]),
  'ReviewTemplateService.list': () => ({}),
  'ReviewTemplateService.createReview': ofTemplate(),
  'ReviewTemplateService.createFromReview': (world) => ({ path: { access_review_id: world.draftId } }),
  'ReviewTemplateService.listOwners': async (world) => {
    const { body } = await world.call(world.tenant.admin, 'GET', `/api/v1/access_review/${world.draftId}/owners?page_size=100`);
    const ownerIds = body.list.map((row: { owner: { userId: string } }) => row.owner.userId);
    return { path: { access_review_template_id: await makeTemplate(world, { ownerIds }) } };
  },
  'ReviewTemplateService.getScopeLists': ofTemplate(),
  'ReviewTemplateService.setScopeLists': async (world) => ({
    path: { access_review_template_id: await makeTemplate(world) },
    fields: { exclusions: [{ kind: 'SCOPE_EXCLUSION_KIND_USER', id: world.userId, reason: 'On leave' }] },
  }),
  'ReviewTemplateService.getTriggers': ofTemplate(),
  'ReviewTemplateService.setTriggers': (world) =>
    narrowIn(world, 'PUT', 'triggers', 'kinds', ['TEMPLATE_TRIGGER_MOVER', 'TEMPLATE_TRIGGER_LEAVER']),
  'ReviewTemplateService.setOwners': async (world) => ({
    path: { access_review_template_id: await makeTemplate(world) },
    fields: { userIds: [world.owner.id, world.userId] },
  }),
};

/** Eleven templates, so that the list has more than one page. */
export async function fill(world: World): Promise<void> {
  for (let count = 0; count < 11; count++) {
    await world.call(world.tenant.admin, 'POST', '/api/v1/access_review_template', { displayName: `Template ${count}` });
  }
}

const scheduled = { frequency: 'FREQUENCY_WEEKLY', interval: 2, startDate: '2030-01-31T08:00:00Z' };

/** Templates live as reviews do. */
export const kinds: readonly Kind[] = [
  {
    name: 'access review template',
    at: 'accessReviewTemplate',
    create: 'AccessReviewTemplateService.create',
    make: (stage, label) => ({
      fields: {
        displayName: `Template ${label}`,
        description: 'Made',
        ownerIds: [stage.server.admin.id],
        isCampaignScheduleEnabled: true,
        recurrenceRule: scheduled,
      },
    }),
    path: (_stage, { id }) => ({ id }),
    get: 'AccessReviewTemplateService.get',
    lists: ['ReviewTemplateService.list'],
    change: {
      operation: 'AccessReviewTemplateService.update',
      member: 'accessReviewTemplate',
      values: () => ({
        accessReviewDuration: '1209600s',
        tspUrl: 'https://tsa.example/stamp',
        expression: 'subject.displayName == ""',
        daysSinceAdded: '7776000s',
        daysSinceLastUsed: '90',
        daysSinceReviewed: '30',
        recurrenceRule: scheduled,
        endDate: '2040-01-01T00:00:00Z',
        nextScheduledCampaignAt: scheduled.startDate,
      }),
      follows: { nextScheduledCampaignAt: ['recurrenceRule'] },
      // Computed from the schedule.
      always: ['nextScheduledCampaignAt'],
      refused: { scopeType: 'set when it is made, and never again' },
      required: () => ({ displayName: 'Template again' }),
    },
    remove: 'AccessReviewTemplateService.delete',
  },
];
