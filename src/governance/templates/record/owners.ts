/**
 * The owners of a template: who manages it, and who will own the reviews that are made of it.
 */
import { type Context, inTransaction } from '../../../context.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { listOwnerViolations, maxOwners, type OwnerRow, refuseViolations } from '../../reviews/index.ts';
import { requireLockedTemplate, requireTemplate } from './permit.ts';
import { updateTemplate } from './store.ts';
import { listOwners, updateOwners } from './store-owners.ts';

/** A page of the owners of a template by their ids. */
export async function readOwners(context: Context, templateId: string, after: string, limit: number): Promise<OwnerRow[]> {
  await requireTemplate(context, templateId, 'read');
  return listOwners(context, templateId, after, limit);
}

/** Makes these people the owners of a template and returns them. INVALID_ARGUMENT for none, too many, and whoever is not an enabled person. */
export function setOwners(context: Context, templateId: string, userIds: readonly string[]): Promise<OwnerRow[]> {
  return inTransaction(context, async (inside) => {
    const template = await requireLockedTemplate(inside, templateId);
    const after = [...new Set(userIds)].sort();
    const added = after.filter((id) => !template.ownerIds.includes(id));
    const removed = template.ownerIds.filter((id) => !after.includes(id));
    if (added.length + removed.length > 0) {
      refuseViolations(userIds.length === 0 ? [{ field: 'userIds', description: 'must name at least one person' }] : []);
      refuseViolations(await listOwnerViolations(inside, userIds, 'userIds'));
      await updateOwners(inside, templateId, after);
      await updateTemplate(inside, templateId, {});
      await recordEvent(inside, {
        kind: 'template.owners_changed',
        targetId: templateId,
        data: { added, removed, ownerIds: after },
      });
    }
    return listOwners(inside, templateId, '', maxOwners);
  });
}
