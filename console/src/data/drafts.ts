/** Decisions that are meant and not submitted yet: how those of this device, of other tabs and of the server become one. Pure. */

/** One decision as it is meant. What was taken back stays as a stone, so that an older copy elsewhere does not bring it back. */
export interface Draft {
  readonly taskId: string;
  readonly choice: 'certify' | 'deny' | 'none';
  readonly comment: string;
  /** RFC 3339; empty where it holds without an end. */
  readonly until: string;
  /** When it was made on some device, in milliseconds. */
  readonly at: number;
  /** The `at` of what the server holds of this task; 0 for nothing. */
  readonly savedAt: number;
  /** Changes a decision that was submitted before. */
  readonly amend: boolean;
  /** Why the server does not take it; empty where it does. */
  readonly refused: string;
}

/** What the server holds. */
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
export const mostAtOnce = 1000;

/** Whether it stands for a decision, and is not a stone. */
export function isMeant(draft: Draft | undefined): draft is Draft & { choice: 'certify' | 'deny' } {
  return draft !== undefined && draft.choice !== 'none';
}

/** Whether the server takes it: what counts and is submitted. */
export function counts(draft: Draft | undefined): draft is Draft & { choice: 'certify' | 'deny' } {
  return isMeant(draft) && draft.refused === '';
}

/** Whether the server does not hold it yet as it is. */
export function isUnsaved(draft: Draft): boolean {
  return draft.refused === '' && draft.savedAt !== draft.at && (draft.choice !== 'none' || draft.savedAt !== 0);
}

/** Two copies of drafts as one: of each task the newer decision; of the same one, the copy that knows more of the server. */
export function mergeCopies(left: Drafts, right: Drafts): Map<string, Draft> {
  const merged = new Map(left);
  for (const [taskId, theirs] of right) {
    const ours = merged.get(taskId);
    if (ours === undefined || theirs.at > ours.at || (theirs.at === ours.at && knowledge(theirs) > knowledge(ours))) {
      merged.set(taskId, theirs);
    }
  }
  return merged;
}

const knowledge = (draft: Draft): number => (draft.savedAt === draft.at ? 1 : 0) + (draft.refused === '' ? 0 : 2);

/**
 * How much later the server may have staged something than this device says it changed it, and the change still be the newer of the two: the server
 * says when a list arrived and not when it was sent, by a clock of its own.
 */
export const clocksApartMs = 10_000;

/**
 * What this device has and what the server holds, as one. What was not saved yet is newer than what the server holds, unless it was first staged
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

/** What is sent to the server: the whole list, those that were made first before others, as many as it takes. */
export function listToSave(drafts: Drafts): (Draft & { choice: 'certify' | 'deny' })[] {
  return [...drafts.values()]
    .filter(counts)
    .sort((left, right) => left.at - right.at || (left.taskId < right.taskId ? -1 : 1))
    .slice(0, mostAtOnce);
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

/** How many changes the next sending brings. What is beyond the most that the server keeps stays on this device. */
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

/** What takes a step back: each task as it was before, a stone where nothing was decided about it. */
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
