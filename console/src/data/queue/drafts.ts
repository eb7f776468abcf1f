/** Decisions that are meant and not submitted yet: how those of this device's tabs become one, and what of them is sent. Pure. */

/** One decision as it is meant. What was taken back stays as a stone, so that an older copy elsewhere does not bring it back. */
export interface Draft {
  readonly taskId: string;
  readonly choice: 'certify' | 'deny' | 'none';
  readonly comment: string;
  /** RFC 3339; empty where it holds without an end. */
  readonly until: string;
  /** Order of what was decided on this device, in all of its tabs: the greater one is later. It is compared with nothing from elsewhere. */
  readonly at: number;
  /** Changes a decision that was submitted before. */
  readonly amend: boolean;
  /** Reason the server does not take it; empty where it does. */
  readonly refused: string;
  /** What this device had said, where what was said meanwhile on another one holds in its place. */
  readonly instead?: 'certify' | 'deny' | 'none' | undefined;
}

/** Drafts by task. */
export type Drafts = ReadonlyMap<string, Draft>;

/** The most decisions that the server keeps for somebody, and takes at once. */
export const maxAtOnce = 1000;

/** Time in which a submission can be taken back. */
export const waitingMs = 10_000;

/** True if it stands for a decision, and is not a stone. */
export function isMeant(draft: Draft | undefined): draft is Draft & { choice: 'certify' | 'deny' } {
  return draft !== undefined && draft.choice !== 'none';
}

/** True if the server takes it: what counts and is submitted. */
export function counts(draft: Draft | undefined): draft is Draft & { choice: 'certify' | 'deny' } {
  return isMeant(draft) && draft.refused === '';
}

/** Two copies of this device's drafts as one: of each task what was decided later; of the same decision, the copy that knows more about it. */
export function mergeCopies(left: Drafts, right: Drafts): Map<string, Draft> {
  const merged = new Map(left);
  for (const [taskId, theirs] of right) {
    const ours = merged.get(taskId);
    if (ours === undefined || isLater(theirs, ours)) {
      merged.set(taskId, theirs);
    }
  }
  return merged;
}

function isLater(one: Draft, other: Draft): boolean {
  const [more, less] = [knowledge(one), knowledge(other)];
  // The last resort makes two tabs choose the same, whichever hears of the other first.
  return one.at !== other.at ? one.at > other.at : more !== less ? more > less : JSON.stringify(one) > JSON.stringify(other);
}

/** A stone of the same moment knows that it was recorded. */
const knowledge = ({ choice, refused, amend, instead }: Draft): number =>
  (choice === 'none' ? 8 : 0) + (refused === '' ? 0 : 4) + (amend ? 2 : 0) + (instead === undefined ? 0 : 1);

/** The drafts of tasks about which two sets of drafts hold something else, as the second has them. */
export function changedDrafts(before: Drafts, after: Drafts): Draft[] {
  return [...after.values()].filter((draft) => before.get(draft.taskId) !== draft);
}

/** Drafts sent to the server: the whole list, those that were made first before others, as many as it takes. */
export function listToSave(drafts: Drafts): (Draft & { choice: 'certify' | 'deny' })[] {
  return [...drafts.values()]
    .filter(counts)
    .sort((left, right) => left.at - right.at || (left.taskId < right.taskId ? -1 : 1))
    .slice(0, maxAtOnce);
}

/** A moment behind all that are known, so that clocks that stand or go back leave the order of decisions alone. */
export function nextTime({ drafts, latest }: { readonly drafts: Drafts; readonly latest: number }, now: number): number {
  return Math.max(now, latestOf(drafts, latest) + 1);
}

/** The latest moment of these drafts, and of those of before. */
export function latestOf(drafts: Drafts, before: number): number {
  let latest = before;
  for (const { at } of drafts.values()) {
    latest = Math.max(latest, at);
  }
  return latest;
}

/** A stone: nothing is decided about the task. */
export function stoneOf(taskId: string, at: number): Draft {
  return { taskId, choice: 'none', comment: '', until: '', amend: false, refused: '', at };
}

/** Takes a step back: each task as it was before, a stone where nothing was decided about it. */
export function stepBack(step: readonly (readonly [string, Draft | undefined])[], at: number): Draft[] {
  return step.map(([taskId, before]) => (before === undefined ? stoneOf(taskId, at) : { ...before, at, instead: undefined }));
}

/** Drafts by their tasks. */
export function byTask(drafts: readonly Draft[]): Map<string, Draft> {
  return new Map(drafts.map((draft) => [draft.taskId, draft]));
}

/** A draft as the contract has it. */
export function toDecision({ taskId, choice, comment, until, amend }: Draft) {
  return {
    taskId,
    decision: choice === 'deny' ? ('REVIEW_DECISION_DENY' as const) : ('REVIEW_DECISION_CERTIFY' as const),
    comment,
    ...(until === '' ? {} : { certifyUntil: until }),
    ...(amend ? { amend } : {}),
  };
}
