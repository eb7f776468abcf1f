/** Triggers of a template's reviews beside its schedule: somebody who moves, leaves or comes into a conflict. Who did is look.ts. */
import { type Context, inTransaction } from '../../../context.ts';
import { asTexts } from '../../../lib/json.ts';
import type { FieldViolation } from '../../../errors.ts';
import { asReadBy, recordEvent, refuseStale } from '../../../foundation/audit/index.ts';
import { lockWatch, updateWatch } from '../../../foundation/directory/index.ts';
import { expressionProblems } from '../../policies/index.ts';
import { refuseViolations, refuseWider } from '../../reviews/index.ts';
import { requireLockedTemplate, requireTemplate, updateTemplate } from '../record/index.ts';
import { findTriggers, listLooking, peopleKinds, type TriggerKind, type Triggers, updateTriggers } from './store-triggers.ts';

/** Reads what a template looks at, if the caller may. */
export async function readTriggers(context: Context, templateId: string): Promise<Triggers> {
  await requireTemplate(context, templateId, 'read');
  return findTriggers(context, templateId);
}

/** Request as it was sent. */
interface AskedTriggers {
  readonly kinds: readonly string[];
  readonly condition: string;
}

const isKind = (kind: string): kind is TriggerKind => kind === 'MOVER' || kind === 'LEAVER' || kind === 'CONFLICT';

/** Everything that is wrong. */
function listProblems({ kinds, condition }: AskedTriggers): FieldViolation[] {
  const wrong = kinds.flatMap((kind, at) =>
    isKind(kind)
      ? []
      : [{ field: `kinds[${at}]`, description: 'must be TEMPLATE_TRIGGER_MOVER, TEMPLATE_TRIGGER_LEAVER or TEMPLATE_TRIGGER_CONFLICT' }],
  );
  if (condition === '') {
    return wrong;
  }
  const missing = {
    field: 'condition',
    description: 'needs at least one kind of trigger that it narrows; leave it empty to switch triggers off',
  };
  return [...wrong, ...(kinds.length === 0 ? [missing] : expressionProblems(condition, 'TRIGGER', 'condition'))];
}

/** The fields that do more than switch off kinds or give a condition where there was none. A trigger replaces the people whom the template names. */
function listWider(before: Triggers, after: Triggers): string[] {
  const keepsCondition = after.kinds.length === 0 || before.condition === '' || before.condition === after.condition;
  return [...(after.kinds.every((kind) => before.kinds.includes(kind)) ? [] : ['kinds']), ...(keepsCondition ? [] : ['condition'])];
}

/** Has changes of people noted while any template looks at them. */
export async function watchPeople(context: Context): Promise<void> {
  await lockWatch(context);
  await updateWatch(context, (await listLooking(context, peopleKinds, 1)).length > 0);
}

/**
 * Makes a template look at this from now on, in place of what it looked at, and returns it; what was before is not caught up. INVALID_ARGUMENT with
 * everything that is wrong.
 */
export function setTriggers(context: Context, templateId: string, asked: AskedTriggers): Promise<Triggers> {
  return inTransaction(context, async (inside) => {
    await requireLockedTemplate(inside, templateId);
    const before = await findTriggers(inside, templateId);
    refuseViolations(listProblems({ kinds: asked.kinds, condition: asked.condition.trim() }));
    const after = { kinds: [...new Set(asked.kinds.filter(isKind))].sort(), condition: asked.condition.trim() };
    if (after.condition === before.condition && after.kinds.join() === [...before.kinds].sort().join()) {
      return before;
    }
    const read = asReadBy(inside, ({ kinds, condition = '' }) => ({
      kinds: asTexts(kinds).map((name) => name.replace('TEMPLATE_TRIGGER_', '')),
      condition,
    }));
    await refuseStale(inside, { targetId: templateId, kinds: ['template.triggers_set'], read, before: { ...before }, isSet: true });
    refuseWider(inside.actor, listWider(before, after));
    await updateTriggers(inside, templateId, after);
    await updateTemplate(inside, templateId, {});
    await watchPeople(inside);
    await recordEvent(inside, {
      kind: 'template.triggers_set',
      targetId: templateId,
      data: { from: { ...before, kinds: [...before.kinds] }, to: after },
    });
    return after;
  });
}
