/** Members of a review that may change in each state: the table of the life of a review, total over both. Nothing here writes. */
import { AppError } from '../../../errors.ts';
import { groupOfMember, type MemberGroup } from './members.ts';
import type { ReviewRow, ReviewState } from './store.ts';

/** Groups that have nothing to do with what happens to a review by itself. */
const withoutSchedule: readonly (MemberGroup | undefined)[] = ['texts', 'presentation', 'notifications'];

/** True if a change of this member may change what happens to a review by itself: its date, or what kept it from happening. */
export function changesSchedule(member: string): boolean {
  return !withoutSchedule.includes(groupOfMember[member]);
}

/** A state, or OPEN after close was accepted. */
export type Stage = ReviewState | 'CLOSING';

/** The stage a review is in. */
export function changeStage(review: Pick<ReviewRow, 'state' | 'closing'>): Stage {
  return review.state === 'OPEN' && review.closing ? 'CLOSING' : review.state;
}

const beforeStart: readonly MemberGroup[] = ['texts', 'presentation', 'completion', 'start', 'notifications', 'closing', 'signature'];

/** Groups that may change in each stage. `kind` is fixed from creation on. */
export const changeableGroups: Readonly<Record<Stage, readonly MemberGroup[]>> = {
  DRAFT: [...beforeStart, 'rules', 'scope', 'computed'],
  PREPARING: beforeStart,
  REVIEW: beforeStart,
  PENDING: beforeStart,
  STARTING: ['texts', 'presentation', 'completion'],
  OPEN: ['texts', 'presentation', 'completion', 'notifications', 'closing'],
  CLOSING: [],
  CLOSED: [],
  DELETED: [],
};

/** True if this member may change in this stage. */
export function isChangeable(member: string, stage: Stage): boolean {
  const group = groupOfMember[member];
  return group !== undefined && changeableGroups[stage].includes(group);
}

/** The state as the contract names it, and whether a close is under way, for messages. */
export function nameStage(stage: Stage): string {
  return stage === 'CLOSING' ? 'ACCESS_REVIEW_STATE_OPEN and being closed' : `ACCESS_REVIEW_STATE_${stage}`;
}

/** Explains why a scope or policy is fixed, with what to do about it where there is something. */
function explainFixed(member: string, stage: Stage): string {
  if (groupOfMember[member] === 'kind') {
    return 'is fixed at creation';
  }
  const wayOut = stage === 'REVIEW' || stage === 'PENDING' || stage === 'PREPARING' ? '; reset the review to a draft first' : '';
  return `cannot be changed while the review is ${nameStage(stage)}${wayOut}`;
}

/** Refuses changes of these members in this stage: FAILED_PRECONDITION with one violation per member, the stage named. */
export function requireChangeable(members: readonly string[], stage: Stage, prefix: string): void {
  const violations = members
    .filter((member) => !isChangeable(member, stage))
    .map((member) => ({ field: `${prefix}${member}`, description: explainFixed(member, stage) }));
  if (violations.length > 0) {
    const message = violations.map((violation) => `${violation.field} ${violation.description}`).join('; ');
    throw new AppError('FAILED_PRECONDITION', `${message}.`, { violations });
  }
}
