/**
 * Making a template.
 */
import { type Context, inTransaction } from '../../context.ts';
import type { AccessReviewTemplateJson } from '../../gen/c1/api/accessreview/v1/access_review_template_pb.js';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { listOwnerViolations, refuseExempting, refuseViolations } from '../reviews/index.ts';
import {
  type TemplateRow,
  templateDocument,
  findTemplate,
  insertTemplate,
  listViolations,
  noSuchTemplate,
  restartSchedule,
  updateOwners,
  updateTemplate,
} from './record/index.ts';

/**
 * Makes a template of a create request and returns it; its owners are `ownerIds`, the caller where there are none. INVALID_ARGUMENT with everything
 * that is wrong.
 */
export function createTemplate(context: Context, sent: AccessReviewTemplateJson, ownerIds: readonly string[]): Promise<TemplateRow> {
  return inTransaction(context, async (inside) => {
    const document = templateDocument(sent);
    refuseExempting(inside.actor, {}, document);
    const owners = ownerIds.length === 0 ? [inside.actor.userId] : [...new Set(ownerIds)];
    refuseViolations([
      ...listViolations(document, ''),
      ...(ownerIds.length === 0 ? [] : await listOwnerViolations(inside, ownerIds, 'ownerIds')),
    ]);
    const id = newId(inside.now);
    await insertTemplate(inside, { id, document, createdById: inside.actor.userId });
    await updateOwners(inside, id, owners);
    await updateTemplate(inside, id, await restartSchedule(inside, { id, scheduleGeneration: 0 }, document));
    await recordEvent(inside, {
      kind: 'template.created',
      targetId: id,
      data: { displayName: document.displayName, ownerIds: owners, template: document },
    });
    const template = await findTemplate(inside, id);
    if (template === undefined) {
      throw noSuchTemplate();
    }
    return template;
  });
}
