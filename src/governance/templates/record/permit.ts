/** Rules of who may see or manage templates: as reviews, they belong to their owners. */
import type { Actor, Context } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { mayManageReview, maySeeReview, visibleReviews } from '../../reviews/index.ts';
import { findTemplate, lockTemplate, type TemplateRow, type Visible } from './store.ts';

type Belongings = Pick<TemplateRow, 'ownerIds' | 'createdById'>;

/** A template as the permissions of reviews see it: one that is always there. */
function belongingsOf({ ownerIds, createdById }: Belongings) {
  return { ownerIds, createdById, state: 'DRAFT' } as const;
}

/** True if the caller may know of the template. */
export function maySeeTemplate(actor: Actor, template: Belongings): boolean {
  return maySeeReview(actor, belongingsOf(template));
}

/** Templates the caller's lists show. */
export function visibleTemplates(actor: Actor): Visible {
  return visibleReviews(actor);
}

/** Error for callers who may not know of a template, and for an unknown id. */
export function noSuchTemplate(): AppError {
  return new AppError('NOT_FOUND', 'There is no such access review template.');
}

function permitTemplate(actor: Actor, template: TemplateRow | undefined, need: 'read' | 'manage'): TemplateRow {
  if (template === undefined || !maySeeTemplate(actor, template)) {
    throw noSuchTemplate();
  }
  if (need === 'manage' && !mayManageReview(actor, belongingsOf(template))) {
    throw new AppError('PERMISSION_DENIED', 'Only the owners of this access review template and Super Administrators may do this.');
  }
  return template;
}

/**
 * The template, if the caller may read or manage it: NOT_FOUND for nothing, for what the caller may not know of and for what was deleted;
 * PERMISSION_DENIED for managing what the caller only sees.
 */
export async function requireTemplate(context: Context, id: string, need: 'read' | 'manage'): Promise<TemplateRow> {
  return permitTemplate(context.actor, await findTemplate(context, id), need);
}

/** The template to manage, locked until the transaction ends; refuses as `requireTemplate` does. */
export async function requireLockedTemplate(context: Context, id: string): Promise<TemplateRow> {
  return permitTemplate(context.actor, await lockTemplate(context, id), 'manage');
}
