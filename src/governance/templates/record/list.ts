/**
 * Reading templates: a page of those the caller may see, and several by their ids.
 */
import type { Context } from '../../../context.ts';
import type { AccessReviewTemplate } from '../../../gen/c1/api/accessreview/v1/access_review_template_pb.js';
import type { Loader } from '../../../wire/expand.ts';
import { maySeeTemplate, visibleTemplates } from './permit.ts';
import { listTemplates, listTemplatesByIds, type TemplateRow } from './store.ts';
import { shapeTemplate } from './view.ts';

/** Up to `limit` of the templates the caller may see, by id (the order of their creation), deleted ones left out. */
export function readTemplates(context: Context, after: string, limit: number): Promise<TemplateRow[]> {
  return listTemplates(context, visibleTemplates(context.actor), after, limit);
}

/** Templates by id as those see them who may, for c1.api.accessreview.v1.AccessReviewTemplate. */
export const templateLoader: Loader<AccessReviewTemplate> = async (context, ids) => {
  const rows = (await listTemplatesByIds(context, ids)).filter((row) => maySeeTemplate(context.actor, row));
  return new Map(rows.map((row) => [row.id, shapeTemplate(row)]));
};
