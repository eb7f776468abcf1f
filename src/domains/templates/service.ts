/**
 * The contract's services about templates: each method calls one rule and shapes the reply.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import type { Context } from '../../context.ts';
import {
  AccessReviewTemplateService,
  AccessReviewTemplateServiceCreateResponseSchema,
  AccessReviewTemplateServiceDeleteResponseSchema,
  AccessReviewTemplateServiceGetResponseSchema,
  AccessReviewTemplateServiceUpdateResponseSchema,
} from '../../gen/c1/api/accessreview/v1/access_review_template_service_pb.js';
import {
  AccessReviewTemplateSetScopeByResourceTypeResponseSchema,
  AccessReviewTemplateSetupEntitlementService,
  AccessReviewTemplateSetupEntitlementServiceSetResponseSchema,
} from '../../gen/c1/api/accessreview/v1/access_review_template_setup_entitlement_service_pb.js';
import {
  ReviewTemplateService,
  ReviewTemplateServiceCreateFromReviewResponseSchema,
  ReviewTemplateServiceCreateReviewResponseSchema,
  ReviewTemplateServiceListOwnersResponseSchema,
  ReviewTemplateServiceListResponseSchema,
  ReviewTemplateServiceSetOwnersResponseSchema,
  ReviewTemplateTriggersSchema,
} from '../../gen/countersign/v1/template_pb.js';
import { asTexts } from '../../lib/json.ts';
import { pageOf } from '../../wire/page.ts';
import { shape } from '../../wire/reply.ts';
import { type BoundService, type Call, implement } from '../../wire/service.ts';
import { expandSetup, listPossible, noPath, pageSetup, readEntries, shapeLists, shapeOwner, shapeReviewView } from '../reviews/index.ts';
import { createTemplate } from './create.ts';
import { deleteTemplate } from './delete.ts';
import { readTemplates } from './list.ts';
import { createReviewOf } from './make-review.ts';
import { readOwners, setOwners } from './owners.ts';
import { requireTemplate } from './permit.ts';
import { readScopeLists, readSetup, setEntitlements, setResourceTypes, setScopeLists, type TemplateSetup } from './setup.ts';
import type { Triggers } from './store-triggers.ts';
import { readTriggers, setTriggers } from './triggers.ts';
import { createTemplateOf } from './from-review.ts';
import { changeTemplate } from './update.ts';
import { shapeTemplate, shapeTemplateEntitlement } from './view.ts';

const templateService = implement(AccessReviewTemplateService, {
  create: async (context, request, call) => {
    const { ownerIds: _owners, ...members } = call.sent;
    const template = await createTemplate(context, members, request.ownerIds);
    return shape(AccessReviewTemplateServiceCreateResponseSchema, { accessReviewTemplate: shapeTemplate(template) });
  },
  get: async (context, request) =>
    shape(AccessReviewTemplateServiceGetResponseSchema, {
      accessReviewTemplate: shapeTemplate(await requireTemplate(context, request.id, 'read')),
    }),
  update: async (context, request, call) => {
    const sent = (call.sent.accessReviewTemplate ?? {}) as JsonObject;
    const template = await changeTemplate(context, request.id, sent, call.mask);
    return shape(AccessReviewTemplateServiceUpdateResponseSchema, { accessReviewTemplate: shapeTemplate(template) });
  },
  delete: async (context, request) => {
    await deleteTemplate(context, request.id);
    return shape(AccessReviewTemplateServiceDeleteResponseSchema, {});
  },
});

async function viewSetup(context: Context, call: Call, { template, list }: TemplateSetup, paths: readonly string[] | undefined) {
  const { expanded, pathOf } = await expandSetup(call, list, paths);
  return {
    expanded,
    list: list.map((row) => shapeTemplateEntitlement(context.tenantId, template.id, row, pathOf)),
    scope: template.document.scope as never,
  };
}

const setupService = implement(AccessReviewTemplateSetupEntitlementService, {
  getScopeAndEntitlements: async (context, request, call) => {
    const { setup, nextPageToken } = await pageSetup(call, (after, limit) =>
      readSetup(context, request.accessReviewTemplateId, after, limit),
    );
    return shape(AccessReviewTemplateSetupEntitlementServiceSetResponseSchema, {
      ...(await viewSetup(context, call, setup, undefined)),
      nextPageToken,
    });
  },
  setScopeAndEntitlements: async (context, request, call) => {
    const chosen = request.entitlements.map(({ appId, appEntitlementId }) => ({ appId, entitlementId: appEntitlementId }));
    const setup = await setEntitlements(context, request.accessReviewTemplateId, chosen, call.sent.scope as JsonObject | undefined);
    return shape(
      AccessReviewTemplateSetupEntitlementServiceSetResponseSchema,
      await viewSetup(context, call, setup, request.expandMask?.paths),
    );
  },
  setScopeByResourceType: async (context, request, call) => {
    const chosen = request.resourceTypeSelections.map(({ appId, resourceTypeId }) => ({ appId, resourceTypeId }));
    await setResourceTypes(context, request.accessReviewTemplateId, chosen, call.sent.scope as JsonObject | undefined);
    return shape(AccessReviewTemplateSetScopeByResourceTypeResponseSchema, {});
  },
});

function shapeTriggers({ kinds, condition }: Triggers) {
  return shape(ReviewTemplateTriggersSchema, { kinds: kinds.map((kind) => `TEMPLATE_TRIGGER_${kind}` as const), condition });
}

const ownService = implement(ReviewTemplateService, {
  list: async (context, _request, call) => {
    const { rows, nextPageToken } = await pageOf(
      call,
      (after, limit) => readTemplates(context, after, limit),
      (row) => row.id,
    );
    return shape(ReviewTemplateServiceListResponseSchema, { list: rows.map(shapeTemplate), nextPageToken });
  },
  createReview: async (context, request) => {
    const review = await createReviewOf(context, request.accessReviewTemplateId, request.displayName);
    const possible = await listPossible(context, [review]);
    const accessReview = shapeReviewView(context.actor, review, possible.get(review.id), noPath);
    return shape(ReviewTemplateServiceCreateReviewResponseSchema, { accessReview });
  },
  createFromReview: async (context, request) => {
    const template = await createTemplateOf(context, request.accessReviewId, request.displayName);
    return shape(ReviewTemplateServiceCreateFromReviewResponseSchema, { accessReviewTemplate: shapeTemplate(template) });
  },
  listOwners: async (context, request, call) => {
    const { rows, nextPageToken } = await pageOf(
      call,
      (after, limit) => readOwners(context, request.accessReviewTemplateId, after, limit),
      (row) => row.userId,
    );
    return shape(ReviewTemplateServiceListOwnersResponseSchema, { list: rows.map(shapeOwner), nextPageToken });
  },
  getScopeLists: async (context, request) => ({
    scopeLists: shapeLists(await readScopeLists(context, request.accessReviewTemplateId)),
  }),
  setScopeLists: async (context, request) => ({
    scopeLists: shapeLists(await setScopeLists(context, request.accessReviewTemplateId, readEntries(request))),
  }),
  getTriggers: async (context, request) => ({ triggers: shapeTriggers(await readTriggers(context, request.accessReviewTemplateId)) }),
  setTriggers: async (context, request, call) => ({
    triggers: shapeTriggers(
      await setTriggers(context, request.accessReviewTemplateId, {
        kinds: asTexts(call.sent.kinds).map((name) => name.replace('TEMPLATE_TRIGGER_', '')),
        condition: request.condition,
      }),
    ),
  }),
  setOwners: async (context, request) =>
    shape(ReviewTemplateServiceSetOwnersResponseSchema, {
      list: (await setOwners(context, request.accessReviewTemplateId, request.userIds)).map(shapeOwner),
    }),
});

/** What the module serves. */
export const services: readonly BoundService[] = [templateService, setupService, ownService];
