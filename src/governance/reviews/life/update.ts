/**
 * Changing a review: which members are set, whether they may change in its state, and the event that says so.
 */
import { AppError, type FieldViolation, invalidField } from '../../../errors.ts';
import { type AccessReviewJson, AccessReviewSchema } from '../../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { compareDocuments } from '../../../lib/compare-documents.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { applyUpdate } from '../../../wire/mask.ts';
import { recordEvent, refuseStale } from '../../../foundation/audit/index.ts';
import {
  type ReviewRow,
  type ReviewState,
  type Stage,
  changesSchedule,
  readSettings,
  findReview,
  findScheduledStart,
  freshSchedule,
  groupOfMember,
  isChangeable,
  pickMembers,
  type ReviewMember,
  type ReviewSettings,
  listViolations,
  nameStage,
  noSuchReview,
  refuseViolations,
  requireChangeable,
  requireLockedReview,
  requireReview,
  reviewSlot,
  changeStage,
  updateReview,
} from '../record/index.ts';
import { checkPreparable, listWiderInReview, refuseExempting, refuseWider } from '../scope/index.ts';
import { requestTransition } from './transition.ts';

/** Path of the review in the request; before the paths of what is wrong with it. */
const prefix = 'accessReview.';

/** Longest value that an event repeats, as JSON; of longer ones it keeps the length. */
const maxEventValue = 4_000;

/** States of the public API that no review is ever in. */
const neverUsed = ['DELETING', 'DELETED', 'RESETTING_POLICIES', 'COPYING_SETUP_ENTITLEMENTS', 'COPYING_RESOURCE_TYPE_SELECTIONS'].map(
  (state) => `ACCESS_REVIEW_STATE_${state}`,
);

/** The states that can be asked for, by their name on the wire. */
const requestable = new Map<string, ReviewState>(
  (['DRAFT', 'PREPARING', 'REVIEW', 'PENDING', 'STARTING', 'OPEN', 'CLOSED'] as const).map((state) => [
    `ACCESS_REVIEW_STATE_${state}`,
    state,
  ]),
);

function requestedState(sent: AccessReviewJson, mask: readonly string[] | undefined): ReviewState | undefined {
  if (mask === undefined || !mask.includes('state')) {
    return undefined;
  }
  const state = requestable.get(String(sent.state));
  if (neverUsed.includes(String(sent.state))) {
    const description = `cannot become ${String(sent.state)} by an update; a review is deleted by its own operation`;
    throw new AppError('FAILED_PRECONDITION', `The review ${description}.`, { violations: [{ field: `${prefix}state`, description }] });
  }
  if (state === undefined) {
    throw invalidField(`${prefix}state`, `must be the wanted state, one of ${[...requestable.keys()].join(', ')}`);
  }
  return state;
}

/** Members that are a draft's but the server's from prepare on: echoes are ignored then, and naming one in a mask is refused. */
function withoutComputed(sent: AccessReviewJson, mask: readonly string[] | undefined, stage: Stage): AccessReviewJson {
  if (stage === 'DRAFT') {
    return sent;
  }
  for (const path of mask ?? []) {
    const member = path.split('.')[0] ?? '';
    if (groupOfMember[member] === 'computed') {
      throw invalidField(`${prefix}${member}`, `is set by the server while the review is ${nameStage(stage)}`);
    }
  }
  return Object.fromEntries(Object.entries(sent).filter(([member]) => groupOfMember[member] !== 'computed'));
}

/** The document after the update. With the mask `*`, members that were not sent and may not change now stay as they are. */
function merge(review: ReviewRow, sent: AccessReviewJson, mask: readonly string[] | undefined): ReviewSettings {
  const stage = changeStage(review);
  const fields = mask?.filter((path) => path !== 'state');
  if (fields !== undefined && fields.length === 0) {
    return review.document;
  }
  const wanted = withoutComputed(sent, fields, stage);
  const merged: AccessReviewJson = applyUpdate(AccessReviewSchema, review.document, wanted, fields);
  if (fields?.includes('*') === true) {
    const isKept = (member: ReviewMember) => !isChangeable(member, stage) && wanted[member] === undefined;
    return readSettings({ ...merged, ...pickMembers(review.document, (_rule, member) => isKept(member)) });
  }
  return readSettings(merged);
}

function isPast(document: ReviewSettings, member: 'completionDate' | 'scheduledStartDate', now: Date): boolean {
  const text = document[member] ?? '';
  return text !== '' && new Date(text).getTime() < now.getTime();
}

/** A start date that was just set lies ahead. */
function listDateViolations(document: ReviewSettings, changed: readonly string[], now: Date): FieldViolation[] {
  return changed.includes('scheduledStartDate') && isPast(document, 'scheduledStartDate', now)
    ? [{ field: `${prefix}scheduledStartDate`, description: 'has passed; set a date ahead, or start the review now' }]
    : [];
}

/** The due date of an open review is moved ahead or taken away: FAILED_PRECONDITION for one that would be over at once. */
function requireFutureEnd(review: ReviewRow, document: ReviewSettings, changed: readonly string[], now: Date): void {
  if (review.state === 'OPEN' && changed.includes('completionDate') && isPast(document, 'completionDate', now)) {
    const description = `cannot be moved into the past while the review is ${nameStage(changeStage(review))}; close the review instead`;
    throw new AppError('FAILED_PRECONDITION', `${prefix}completionDate ${description}.`, {
      violations: [{ field: `${prefix}completionDate`, description }],
    });
  }
}

function refuseWiderIn({ actor }: Context, review: ReviewRow, document: ReviewSettings): void {
  refuseWider(
    actor,
    listWiderInReview(review.document, document).map((member) => `${prefix}${member}`),
  );
  refuseExempting(actor, review.document, document, prefix);
}

/** Refuses a series that the caller may not know of: its last review is compared, and certifications are carried over from it. */
async function refuseHiddenSeries(context: Context, { accessReviewTemplateId: id = '' }: ReviewSettings): Promise<void> {
  if (id !== '' && (await reviewSlot.get().isHiddenTemplate(context, id))) {
    throw invalidField(`${prefix}accessReviewTemplateId`, `there is no template ${id}`);
  }
}

/** A value as an event repeats it: of one that is too long, its length. */
export function forEvent(value: unknown): unknown {
  const length = value === undefined ? 0 : JSON.stringify(value).length;
  return length > maxEventValue ? { length } : (value ?? null);
}

/**
 * Changes what the mask names (what was sent, where there is no mask) and returns the review as it is then. Two updates of different
 * members both hold: the row is locked while the document is merged. NOT_FOUND and PERMISSION_DENIED as for any review;
 * INVALID_ARGUMENT with everything that is wrong; FAILED_PRECONDITION for members that may not change in the review's state, and for a state
 * (named in the mask) that cannot be had. An update that changes nothing writes nothing.
 */
export async function changeReview(
  context: Context,
  id: string,
  sent: AccessReviewJson,
  mask: readonly string[] | undefined,
): Promise<ReviewRow> {
  const state = requestedState(sent, mask);
  if ((state === 'PREPARING' || state === 'REVIEW') && !context.db.inTransaction) {
    // As the action does it, before anything is locked: a snapshot that is thrown away.
    const draft = await requireReview(context, id, 'manage');
    if (draft.state === 'DRAFT') {
      const document = merge(draft, sent, mask);
      refuseWiderIn(context, draft, document);
      await checkPreparable(context, { ...draft, document });
    }
  }
  return inTransaction(context, async (inside) => {
    const review = await requireLockedReview(inside, id);
    const document = merge(review, sent, mask);
    const { fields: changed } = compareDocuments(review.document, document);
    if (changed.length > 0) {
      await refuseStale(inside, {
        member: 'accessReview',
        targetId: id,
        kinds: ['review.updated', 'review.scope_changed'],
        before: { ...review.document },
        fields: changed,
      });
      refuseWiderIn(inside, review, document);
      if (changed.includes('accessReviewTemplateId')) {
        await refuseHiddenSeries(inside, document);
      }
      requireChangeable(changed, changeStage(review), prefix);
      refuseViolations([...listViolations(document, prefix), ...listDateViolations(document, changed, inside.now)]);
      requireFutureEnd(review, document, changed, inside.now);
      const scopeChanged = changed.some((member) => groupOfMember[member] === 'scope');
      await updateReview(inside, id, {
        ...(changed.some(changesSchedule) ? freshSchedule : {}),
        document,
        ...(scopeChanged ? { scopingVersion: review.scopingVersion + 1, errorState: '' } : {}),
      });
      await recordEvent(inside, {
        kind: 'review.updated',
        targetId: id,
        data: {
          fields: changed,
          from: Object.fromEntries(changed.map((member) => [member, forEvent(review.document[member])])),
          to: Object.fromEntries(changed.map((member) => [member, forEvent(document[member])])),
        },
      });
      if (changed.some((member) => groupOfMember[member] === 'start')) {
        await followStartDate(inside, { ...review, document });
      }
    }
    const after = changed.length === 0 ? review : requireFound(await findReview(inside, id));
    if (state === undefined) {
      return after;
    }
    await requestTransition(inside, after, state);
    return requireFound(await findReview(inside, id));
  });
}

/** A staged review whose start date was just set waits for it (PENDING); one that lost it does not any more. */
async function followStartDate(context: Context, review: ReviewRow): Promise<void> {
  const startAt = findScheduledStart(review.document);
  if (review.state === 'REVIEW' && startAt !== undefined) {
    await updateReview(context, review.id, { state: 'PENDING' });
    await recordEvent(context, {
      kind: 'review.scheduled',
      targetId: review.id,
      data: { scheduledStartDate: startAt.toISOString() },
    });
  } else if (review.state === 'PENDING' && startAt === undefined) {
    await updateReview(context, review.id, { state: 'REVIEW' });
    await recordEvent(context, { kind: 'review.unscheduled', targetId: review.id, data: {} });
  }
}

function requireFound(review: ReviewRow | undefined): ReviewRow {
  if (review === undefined) {
    throw noSuchReview();
  }
  return review;
}
