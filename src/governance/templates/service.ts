/**
 * The contract's services about templates: each method calls one rule and shapes the reply.
 */
import type { Context } from '../../context.ts';
import type { AccessReviewScopeV2 } from '../../gen/c1/api/accessreview/v1/scope_pb.js';
import { AccessReviewTemplateService } from '../../gen/c1/api/accessreview/v1/access_review_template_service_pb.js';
import { AccessReviewTemplateSetupEntitlementService } from '../../gen/c1/api/accessreview/v1/access_review_template_setup_entitlement_service_pb.js';
import { ReviewTemplateService } from '../../gen/countersign/v1/template_pb.js';
import { readPage } from '../../wire/page.ts';
import { type Row, unset } from '../../wire/row.ts';
import { type BoundService, type Call, implement } from '../../wire/service.ts';
import { expandSetup, listPossible, noPath, pageSetup, readEntries, shapeLists, shapeOwner, shapeReviewView } from '../reviews/index.ts';
import { createTemplate } from './create.ts';
import { deleteTemplate } from './delete.ts';
import {
  type TemplateSetup,
  readOwners,
  readScopeLists,
  readSetup,
  readTemplates,
  requireTemplate,
  setEntitlements,
  setOwners,
  setResourceTypes,
  setScopeLists,
  shapeTemplate,
  shapeTemplateEntitlement,
} from './record/index.ts';
import { createReviewFromTemplate, readTriggers, setTriggers } from './series/index.ts';
import { createTemplateFromReview } from './from-review.ts';
import { changeTemplate } from './update.ts';

const templateService = implement(AccessReviewTemplateService, {
  create: async (context, request, call) => {
    const { ownerIds: _owners, ...members } = call.sent;
    const template = await createTemplate(context, members, request.ownerIds);
    return { accessReviewTemplate: shapeTemplate(template) };
  },
  get: async (context, request) => ({ accessReviewTemplate: shapeTemplate(await requireTemplate(context, request.id, 'read')) }),
  update: async (context, request, call) => {
    const template = await changeTemplate(context, request.id, call.sent.accessReviewTemplate ?? {}, call.mask);
    return { accessReviewTemplate: shapeTemplate(template) };
  },
  delete: async (context, request) => {
    await deleteTemplate(context, request.id);
    return {};
  },
});

async function viewSetup(context: Context, call: Call, { template, list }: TemplateSetup, paths: readonly string[] | undefined) {
  const { expanded, pathOf } = await expandSetup(call, list, paths);
  return {
    expanded,
    list: list.map((row) => shapeTemplateEntitlement(context.tenantId, template.id, row, pathOf)),
    scope: template.document.scope as Row<AccessReviewScopeV2> | undefined,
  };
}

const setupService = implement(AccessReviewTemplateSetupEntitlementService, {
  getScopeAndEntitlements: async (context, request, call) => {
    const { setup, nextPageToken } = await pageSetup(call, (after, limit) =>
      readSetup(context, request.accessReviewTemplateId, after, limit),
    );
    return { ...(await viewSetup(context, call, setup, undefined)), nextPageToken };
  },
  setScopeAndEntitlements: async (context, request, call) => {
    const chosen = request.entitlements.map(({ appId, appEntitlementId }) => ({ appId, entitlementId: appEntitlementId }));
    const setup = await setEntitlements(context, request.accessReviewTemplateId, chosen, call.sent.scope);
    return { ...(await viewSetup(context, call, setup, request.expandMask?.paths)), ...unset('nextPageToken') };
  },
  setScopeByResourceType: async (context, request, call) => {
    const chosen = request.resourceTypeSelections.map(({ appId, resourceTypeId }) => ({ appId, resourceTypeId }));
    await setResourceTypes(context, request.accessReviewTemplateId, chosen, call.sent.scope);
    return {};
  },
});

const ownService = implement(ReviewTemplateService, {
  list: async (context, _request, call) => {
    const { rows, nextPageToken } = await readPage(call, (after, limit) => readTemplates(context, after, limit));
    return { list: rows.map(shapeTemplate), nextPageToken };
  },
  createReview: async (context, request) => {
    const review = await createReviewFromTemplate(context, request.accessReviewTemplateId, request.displayName);
    const possible = await listPossible(context, [review]);
    const accessReview = shapeReviewView(context.actor, review, possible.get(review.id), noPath);
    return { accessReview };
  },
  createFromReview: async (context, request) => {
    const template = await createTemplateFromReview(context, request.accessReviewId, request.displayName);
    return { accessReviewTemplate: shapeTemplate(template) };
  },
  listOwners: async (context, request, call) => {
    const { rows, nextPageToken } = await readPage(
      call,
      (after, limit) => readOwners(context, request.accessReviewTemplateId, after, limit),
      (row) => row.userId,
    );
    return { list: rows.map(shapeOwner), nextPageToken };
  },
  getScopeLists: async (context, request) => ({
    scopeLists: shapeLists(await readScopeLists(context, request.accessReviewTemplateId)),
  }),
  setScopeLists: async (context, request) => ({
    scopeLists: shapeLists(await setScopeLists(context, request.accessReviewTemplateId, readEntries(request))),
  }),
  getTriggers: async (context, request) => ({ triggers: await readTriggers(context, request.accessReviewTemplateId) }),
  setTriggers: async (context, request, call) => ({
    triggers: await setTriggers(context, request.accessReviewTemplateId, {
      kinds: (call.sent.kinds ?? []).map((name) => name.replace('TEMPLATE_TRIGGER_', '')),
      condition: request.condition,
    }),
  }),
  setOwners: async (context, request) => ({
    list: (await setOwners(context, request.accessReviewTemplateId, request.userIds)).map(shapeOwner),
  }),
});

/** Services of the module. */
export const services: readonly BoundService[] = [templateService, setupService, ownService];
