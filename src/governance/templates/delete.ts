/**
 * Deleting a template. The reviews that were made of it stay, and still say which template it was.
 */
import { type Context, inTransaction } from '../../context.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { removeTemplate, requireLockedTemplate } from './record/index.ts';
import { watchPeople } from './series/index.ts';

/** Deletes a template; from then on it answers NOT_FOUND, and nothing is made of it. NOT_FOUND and PERMISSION_DENIED as for any template. */
export function deleteTemplate(context: Context, id: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const template = await requireLockedTemplate(inside, id);
    await removeTemplate(inside, id);
    await watchPeople(inside);
    await recordEvent(inside, {
      kind: 'template.deleted',
      targetId: id,
      data: { displayName: template.document.displayName },
    });
  });
}
