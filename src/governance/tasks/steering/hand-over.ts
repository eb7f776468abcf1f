/**
 * Handing on what people were asked who can no longer be: disabled, or no longer employed, or asked about somebody who was merged into them. Nothing
 * goes back to them later.
 */
import type { Context } from '../../../context.ts';
import type { EventKind } from '../../../events/index.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { resolveRules, insertAssignment, listAppReviewers, findRoute } from '../policy-engine/index.ts';
import { newId } from '../../../wire/ids.ts';
import { type ActionLine, digestActions, readApprovalAt } from '../task/index.ts';
import {
  type BatchKind,
  type HandedOn,
  listManagersNow,
  listOwnReviewers,
  listOwnSince,
  listStaleAssignments,
  listStalePlaces,
  type StaleAssignment,
  type StalePlace,
  updateAssignment,
} from './store-hand-over.ts';

/** People that tasks pass to, and which tasks these are. */
interface Level {
  readonly ids: readonly string[];
  readonly place?: StalePlace;
  readonly allowsSelf?: boolean;
  readonly distinct?: boolean;
}

/** Moves the tasks of a set to the people of a level, but not their own access to anybody. What moved, and to which sets. */
async function moveTo(
  context: Context,
  reviewId: string,
  set: HandedOn,
  level: Level,
  eventId: string,
): Promise<{ moved: ActionLine[]; to: string[] }> {
  const to: string[] = [];
  const moved: ActionLine[] = [];
  const move = async (ids: readonly string[], subjectId?: string): Promise<void> => {
    if (ids.length > 0) {
      const toId = await insertAssignment(context, reviewId, ids, 'HANDED_OVER', true);
      const { place, distinct } = level;
      const noted = await updateAssignment(context, set, { toId, toUserIds: ids, place, subjectId, distinct }, eventId);
      moved.push(...noted);
      to.push(...(noted.length > 0 ? [toId] : []));
    }
  };
  await move(level.ids);
  for (const { subjectId, personId } of await listOwnReviewers(context, set.id, level.ids)) {
    const mayDecide = level.allowsSelf === true && subjectId === personId;
    await move(mayDecide ? level.ids : level.ids.filter((id) => id !== personId), subjectId);
  }
  return { moved, to };
}

/**
 * Moves the tasks of a set that asked the managers of people, to the managers they have by now: the file by which one left often names the next. What moved,
 * and to which sets.
 */
async function moveToManagers(
  context: Context,
  reviewId: string,
  set: StaleAssignment,
  eventId: string,
): Promise<Pick<Handed, 'moved' | 'to'>> {
  const moved: ActionLine[] = [];
  const to: string[] = [];
  for (const place of set.reason === 'MANAGER' || set.reason === 'HANDED_OVER' ? await listStalePlaces(context, set.id) : []) {
    const document = (await findRoute(context, reviewId, place.routeNo))?.document ?? {};
    const step = readApprovalAt(document, place.step);
    const next = step.approverType === 'manager' ? await listManagersNow(context, set.id, place) : [];
    for (const { subjectId, managerId } of next) {
      const toId = await insertAssignment(context, reviewId, [managerId], 'HANDED_OVER', true);
      const distinct = place.step > 0 && step.requireDistinctApprovers;
      const noted = await updateAssignment(context, set, { toId, toUserIds: [managerId], place, subjectId, distinct }, eventId);
      moved.push(...noted);
      to.push(...(noted.length > 0 ? [toId] : []));
    }
  }
  return { moved, to: [...new Set(to)] };
}

/** The levels behind a step, as they are now, for tasks that stand there. */
async function levelsAt(context: Context, reviewId: string, place: StalePlace): Promise<Level[]> {
  const document = (await findRoute(context, reviewId, place.routeNo))?.document ?? {};
  const distinct = place.step > 0 && readApprovalAt(document, place.step).requireDistinctApprovers;
  const levels: Level[] = [];
  for (const rule of await resolveRules(context, reviewId, document, place.step, 'fallbacks')) {
    const ids = rule.reason === 'FALLBACK_APP_OWNERS' ? await listAppReviewers(context, place.appId) : rule.enabledIds;
    levels.push({ ids, place, distinct, allowsSelf: rule.allowSelf });
  }
  return levels;
}

/** Events that record handing on a batch's tasks. */
const events = {
  CERTIFY: 'review.reviewer_handed_over',
  REVOKE: 'revocations.handed_over',
} as const satisfies Record<BatchKind, EventKind>;

/** Tasks of a set that changed hands, to which sets, and whether some are left. */
interface Handed {
  /** The id of the event. */
  readonly id: string;
  readonly moved: ActionLine[];
  readonly to: string[];
}

async function recordHandOver(
  context: Context,
  kind: BatchKind,
  reviewId: string,
  { id, moved, to }: Handed,
  data: { readonly disabledIds: readonly string[]; readonly nobodyLeft: boolean; readonly isOwn?: true },
): Promise<void> {
  await recordEvent(context, {
    id,
    evidence: { task_actions: digestActions(id, moved) },
    kind: events[kind],
    targetId: reviewId,
    data: { ...data, tasks: moved.length, assignmentIds: to },
  });
}

/**
 * Hands open tasks of people who can no longer be asked on: to the others of their set, else to the manager whom the person has by now where the step asks the manager, else along the fallbacks of the step. One
 * event per set. Returns how many tasks changed hands and how many sets have tasks that nobody is left for.
 */
export async function handOver(context: Context, kind: BatchKind, reviewId: string): Promise<{ handed: number; stuck: number }> {
  const totals = { handed: 0, stuck: 0 };
  for (const set of await listStaleAssignments(context, reviewId)) {
    const handed: Handed = { id: newId(context.now), moved: [], to: [] };
    const add = (result: Pick<Handed, 'moved' | 'to'>): void => {
      handed.moved.push(...result.moved);
      handed.to.push(...result.to);
    };
    const tryLevel = async (level: Level): Promise<void> => add(await moveTo(context, reviewId, set, level, handed.id));
    await tryLevel({ ids: set.enabledIds });
    add(await moveToManagers(context, reviewId, set, handed.id));
    for (const place of await listStalePlaces(context, set.id)) {
      for (const level of await levelsAt(context, reviewId, place)) {
        await tryLevel(level);
      }
    }
    const nobodyLeft = (await listStalePlaces(context, set.id)).length > 0;
    totals.handed += handed.moved.length;
    totals.stuck += nobodyLeft ? 1 : 0;
    if (handed.moved.length > 0 || nobodyLeft) {
      await recordHandOver(context, kind, reviewId, handed, { disabledIds: set.disabledIds, nobodyLeft });
    }
  }
  totals.handed += await handOverOwn(context, kind, reviewId);
  return totals;
}

/**
 * Hands on open tasks about people who were merged into somebody who is asked about them: to the others of the set, else along the fallbacks. One event
 * for each set and person. Where nobody else is left they stay, and nothing is said again and again. Returns how many changed hands.
 */
async function handOverOwn(context: Context, kind: BatchKind, reviewId: string): Promise<number> {
  let count = 0;
  const own = await listOwnSince(context, reviewId);
  for (const rows of Map.groupBy(own, ({ id, personId }) => `${id} ${personId}`).values()) {
    const handed: Handed = { id: newId(context.now), moved: [], to: [] };
    const left: boolean[] = [];
    const [{ id: setId = '', personId = '' } = {}] = rows;
    const set: HandedOn = { id: setId, disabledIds: [personId], isOwn: true };
    for (const { subjectId, enabledIds } of rows) {
      const tryLevel = async ({ ids, place, distinct }: Level): Promise<void> => {
        const others = ids.filter((id) => id !== personId);
        if (others.length > 0) {
          const toId = await insertAssignment(context, reviewId, others, 'HANDED_OVER', true);
          const moved = await updateAssignment(context, set, { toId, toUserIds: others, place, subjectId, distinct }, handed.id);
          handed.moved.push(...moved);
          handed.to.push(...(moved.length > 0 ? [toId] : []));
        }
      };
      await tryLevel({ ids: enabledIds });
      for (const place of await listStalePlaces(context, setId, subjectId)) {
        for (const level of await levelsAt(context, reviewId, place)) {
          await tryLevel(level);
        }
      }
      left.push((await listStalePlaces(context, setId, subjectId)).length > 0);
    }
    count += handed.moved.length;
    if (handed.moved.length > 0) {
      await recordHandOver(context, kind, reviewId, handed, { disabledIds: set.disabledIds, nobodyLeft: left.includes(true), isOwn: true });
    }
  }
  return count;
}
