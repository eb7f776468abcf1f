/** Decisions that are meant and not submitted yet: how those of this device, of other tabs and of the server become one. Pure. */

/** One decision as it is meant. What was taken back stays as a stone, so that an older copy elsewhere does not bring it back. */
export interface Draft {
  readonly taskId: string;
  readonly choice: 'certify' | 'deny' | 'none';
  readonly comment: string;
  /** RFC 3339; empty where it holds without an end. */
  readonly until: string;
  /** Time it was made on some device, in milliseconds. */
  readonly at: number;
  /** The `at` of what the server holds of this task; 0 for nothing. */
  readonly savedAt: number;
  /** Changes a decision that was submitted before. */
  readonly amend: boolean;
  /** Reason the server does not take it; empty where it does. */
  readonly refused: string;
}

/** Copy on the server. */
export interface StagedDecision {
  readonly taskId: string;
  readonly choice: 'certify' | 'deny';
  readonly comment: string;
  readonly until: string;
  readonly amend: boolean;
  readonly stagedAt: number;
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

/** True if the server does not hold it yet as it is. */
export function isUnsaved(draft: Draft): boolean {
  return draft.refused === '' && draft.savedAt !== draft.at && (draft.choice !== 'none' || draft.savedAt !== 0);
}

/** Two copies of drafts as one: of each task the newer decision; of the same one, the copy that knows more of the server. */
export function mergeCopies(left: Drafts, right: Drafts): Map<string, Draft> {
  const merged = new Map(left);
  for (const [taskId, theirs] of right) {
    const ours = merged.get(taskId);
    if (ours === undefined || isNewer(theirs, ours)) {
      merged.set(taskId, theirs);
    }
  }
  return merged;
}

/**
 * Merges the copies of this device with what changed in this tab. `before` holds each changed task as this tab knew it: where another tab wrote
 * something newer meanwhile, that stays.
 */
export function mergeHeld(held: Drafts, before: ReadonlyMap<string, Draft | undefined>, mine: Drafts): Map<string, Draft> {
  const merged = new Map(held);
  for (const [taskId, known] of before) {
    const [theirs, ours] = [held.get(taskId), mine.get(taskId)];
    const isTheirs = theirs !== undefined && theirs.at > (known?.at ?? 0) && (ours === undefined || isNewer(theirs, ours));
    if (ours !== undefined && !isTheirs) {
      merged.set(taskId, ours);
    } else if (ours === undefined && !isTheirs) {
      merged.delete(taskId);
    }
  }
  return merged;
}

/** The tasks of which two sets of drafts hold something else, each with its draft before. */
export function changedDrafts(before: Drafts, after: Drafts): Map<string, Draft | undefined> {
  const changed = new Map<string, Draft | undefined>();
  for (const taskId of new Set([...before.keys(), ...after.keys()])) {
    if (before.get(taskId) !== after.get(taskId)) {
      changed.set(taskId, before.get(taskId));
    }
  }
  return changed;
}

const isNewer = (one: Draft, other: Draft): boolean => one.at > other.at || (one.at === other.at && knowledge(one) > knowledge(other));

const knowledge = (draft: Draft): number => (draft.savedAt === draft.at ? 1 : 0) + (draft.refused === '' ? 0 : 2);

/**
 * Longest the server may have staged something after this device says it changed it, and the change still be the newer of the two: the server says
 * when a list arrived and not when it was sent, by a clock of its own.
 */
export const clocksApartMs = 10_000;

/**
 * Merges what this device has and what the server holds. What was not saved yet is newer than what the server holds, unless it was first staged
 * there later. What was saved and is gone there was taken back or submitted elsewhere.
 */
export function mergeServer(local: Drafts, staged: readonly StagedDecision[]): Map<string, Draft> {
  const merged = new Map<string, Draft>();
  const there = new Map(staged.map((one) => [one.taskId, one]));
  for (const [taskId, draft] of local) {
    const held = there.get(taskId);
    if (held === undefined) {
      if (draft.choice !== 'none' && (draft.savedAt === 0 || isUnsaved(draft) || draft.refused !== '')) {
        merged.set(taskId, { ...draft, savedAt: 0 });
      }
    } else if (draft.refused === '' && draft.savedAt !== draft.at && draft.at + clocksApartMs >= held.stagedAt) {
      // Taken back before the server said that it holds it: only what is known to be saved is taken back there, too.
      merged.set(taskId, draft.choice === 'none' && draft.savedAt === 0 ? { ...draft, savedAt: draft.at - 1 } : draft);
    }
  }
  for (const held of staged) {
    if (!merged.has(held.taskId)) {
      const { taskId, choice, comment, until, amend, stagedAt } = held;
      merged.set(taskId, { taskId, choice, comment, until, amend, at: stagedAt, savedAt: stagedAt, refused: '' });
    }
  }
  return merged;
}

/** Drafts sent to the server: the whole list, those that were made first before others, as many as it takes. */
export function listToSave(drafts: Drafts): (Draft & { choice: 'certify' | 'deny' })[] {
  return [...drafts.values()]
    .filter(counts)
    .sort((left, right) => left.at - right.at || (left.taskId < right.taskId ? -1 : 1))
    .slice(0, maxAtOnce);
}

/** After the server took `sent`: what it holds is saved, and stones have done their work. What was changed meanwhile waits for the next time. */
export function markSaved(drafts: Drafts, sent: readonly Draft[]): Map<string, Draft> {
  const held = new Map(sent.map((draft) => [draft.taskId, draft.at]));
  const marked = new Map<string, Draft>();
  for (const [taskId, draft] of drafts) {
    const savedAt = held.get(taskId) ?? 0;
    if (draft.choice !== 'none' || savedAt !== 0) {
      marked.set(taskId, draft.savedAt === savedAt ? draft : { ...draft, savedAt });
    }
  }
  return marked;
}

/** Counts changes the next sending brings. What is beyond the most that the server keeps stays on this device. */
export function countToSend(drafts: Drafts): number {
  const stones = [...drafts.values()].filter((draft) => draft.choice === 'none' && isUnsaved(draft));
  return stones.length + listToSave(drafts).filter(isUnsaved).length;
}

/** A time behind all that are known, so that clocks that stand or go back leave the order of decisions alone. */
export function nextTime(drafts: Drafts, now: number): number {
  let latest = 0;
  for (const { at } of drafts.values()) {
    latest = Math.max(latest, at);
  }
  return Math.max(now, latest + 1);
}

/** Takes a step back: each task as it was before, a stone where nothing was decided about it. */
export function stepBack(drafts: Drafts, step: readonly (readonly [string, Draft | undefined])[], at: number): Draft[] {
  return step.map(([taskId, before]) => {
    const savedAt = drafts.get(taskId)?.savedAt ?? 0;
    return before === undefined
      ? { taskId, choice: 'none', comment: '', until: '', amend: false, refused: '', at, savedAt }
      : { ...before, at, savedAt };
  });
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
