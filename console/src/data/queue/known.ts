/**
 * The decisions that the server holds for somebody in a review, as far as this device knows, and how they become one with what is decided here. The
 * server counts the changes of its list; no clock takes part. Pure.
 */
import { byTask, latestOf, mergeCopies, type Draft, type Drafts, isMeant, listToSave, stoneOf } from './drafts.ts';

/** What is said about a task. */
export type Value = Pick<Draft, 'comment' | 'until' | 'amend'> & { readonly choice: 'certify' | 'deny' };

/** A decision on the server, in the order in which the tasks were first decided about. */
export type StagedDecision = Value & { readonly taskId: string };

/** A list of the server. */
export interface Staged {
  readonly version: string;
  readonly decisions: readonly StagedDecision[];
}

export interface Known {
  /** Number of the server's answers that led to it: of what two tabs know, that holds which more answers led to. */
  readonly round: number;
  /** Of the server's list; empty before it was read. */
  readonly version: string;
  readonly values: ReadonlyMap<string, Value>;
  /** What this device sent since then and has no answer about: it may be there. Undefined where the task was left out: it may be gone. */
  readonly sent: ReadonlyMap<string, readonly (Value | undefined)[]>;
}

/** Nothing is known. */
export const nothingKnown: Known = { round: 0, version: '', values: new Map(), sent: new Map() };

const momentOf = (until: string): number => (until === '' ? 0 : Date.parse(until));

type Said = Pick<Draft, 'choice' | 'comment' | 'until' | 'amend'> | undefined;

/** True if both say the same. */
export function sameAs(one: Said, other: Value | undefined): boolean {
  return saysSame(one, other) && one?.amend === other?.amend;
}

/** True if a person said the same with both; that one of them changes what was recorded meanwhile is not said by anybody. */
function saysSame(one: Said, other: Value | undefined): boolean {
  return one === undefined || other === undefined
    ? one === other
    : one.choice === other.choice && one.comment === other.comment && momentOf(one.until) === momentOf(other.until);
}

/** True if the server holds something about the task, or may. */
export function isHeld({ values, sent }: Known, taskId: string): boolean {
  return values.has(taskId) || sent.has(taskId);
}

/** True if the server does not hold it as it is, as far as this device knows: another decision that is on its way may be there. */
export function isUnsaved(draft: Draft, known: Known): boolean {
  const { taskId, refused } = draft;
  return refused === '' && (isMeant(draft) ? !sameAs(draft, known.values.get(taskId)) || known.sent.has(taskId) : isHeld(known, taskId));
}

/** Counts changes the next sending brings. What is beyond the most that the server keeps stays on this device. */
export function countToSend(drafts: Drafts, known: Known): number {
  const stones = [...drafts.values()].filter((draft) => draft.choice === 'none' && isUnsaved(draft, known));
  return stones.length + listToSave(drafts).filter((draft) => isUnsaved(draft, known)).length;
}

const pickValue = ({ choice, comment, until, amend }: Value): Value => ({ choice, comment, until, amend });

const mapValues = (decisions: readonly StagedDecision[]): Map<string, Value> =>
  new Map(decisions.map((one) => [one.taskId, pickValue(one)]));

/** What is known after the server answered what its list is. */
export function knowList(before: Known, { version, decisions }: Staged): Known {
  return { round: before.round + 1, version, values: mapValues(decisions), sent: new Map() };
}

/** Before a list is sent: from then on any of it may be there, and what it leaves out may be gone. */
export function noteSent(known: Known, list: readonly StagedDecision[]): Known {
  const sent = new Map(known.sent);
  const there = mapValues(list);
  for (const taskId of new Set([...known.values.keys(), ...there.keys()])) {
    const [one, before] = [there.get(taskId), sent.get(taskId) ?? []];
    if (!sameAs(one, known.values.get(taskId)) && !before.some((value) => sameAs(one, value))) {
      sent.set(taskId, [...before, one]);
    }
  }
  return { ...known, sent };
}

/**
 * After a submission: what it recorded is staged no more in the list behind it, which is of this version. Where that is not known, it was recorded some
 * time ago, and what was staged since may be there.
 */
export function forgetRecorded(known: Known, taskIds: readonly string[], version: string): Known {
  if (version === '') {
    return known;
  }
  const gone = new Set(taskIds);
  const without = <T>(all: ReadonlyMap<string, T>): Map<string, T> => new Map([...all].filter(([id]) => !gone.has(id)));
  return { round: known.round + 1, version, values: without(known.values), sent: without(known.sent) };
}

const numberOf = ({ version }: Known): number => (version === '' ? -1 : Number(version));

/** What two tabs know as one: the later answer, and of the same one all that either sent. */
export function joinKnown(one: Known, other: Known): Known {
  const ahead = one.round - other.round || numberOf(one) - numberOf(other);
  if (ahead !== 0) {
    return ahead > 0 ? one : other;
  }
  const sent = new Map(one.sent);
  for (const [taskId, values] of other.sent) {
    const before = sent.get(taskId) ?? [];
    const news = values.filter((value) => !before.some((held) => sameAs(value, held)));
    if (news.length > 0) {
      sent.set(taskId, [...before, ...news]);
    }
  }
  return { ...one, sent };
}

/**
 * The drafts of this device beside a list of the server. A task that stands there as this device knew it, or as it sent it, is as it is here. One that
 * another device changed is as it is there; where it was changed here, too, the draft says what had been said here. What is only here and not yet
 * saved stays.
 */
export function takeList({ drafts, known, latest }: Copies, { decisions }: Staged): Map<string, Draft> {
  const merged = new Map(drafts);
  const there = mapValues(decisions);
  // In the order of the server, behind what another tab may know to be taken back here, and before what is decided next.
  const first = latestOf(drafts, latest) + 1;
  const places = new Map(decisions.map(({ taskId }, index) => [taskId, first + index]));
  for (const taskId of new Set([...known.values.keys(), ...there.keys()])) {
    const [base, theirs, draft] = [known.values.get(taskId), there.get(taskId), drafts.get(taskId)];
    const ours = draft === undefined ? base : isMeant(draft) ? draft : undefined;
    const isOurs = saysSame(theirs, base) || (known.sent.get(taskId) ?? []).some((value) => saysSame(value, theirs));
    if (draft?.refused || sameAs(ours, theirs) || (isOurs && draft !== undefined)) {
      if (draft === undefined && theirs !== undefined) {
        merged.set(taskId, { taskId, ...theirs, at: places.get(taskId) ?? first, refused: '' });
      } else if (isMeant(draft) && theirs?.amend) {
        merged.set(taskId, { ...draft, amend: true });
      }
      continue;
    }
    const isChangedHere = !saysSame(ours, base);
    // Another tab may have a later stone than this one has.
    const at = isMeant(draft) ? draft.at + 1 : (places.get(taskId) ?? first);
    if (theirs !== undefined) {
      const instead = isChangedHere ? { instead: ours?.choice ?? ('none' as const) } : {};
      merged.set(taskId, { taskId, ...theirs, at, refused: '', ...instead });
    } else if (!isChangedHere) {
      merged.set(taskId, stoneOf(taskId, at));
    }
  }
  return merged;
}

/** Record of drafts on this device. */
export interface KeptDrafts {
  readonly drafts: readonly Draft[];
  readonly latest: number;
  readonly round: number;
  readonly version: string;
  readonly values: readonly StagedDecision[];
  /** Several of one task where several are on their way. */
  readonly sent: readonly StagedDecision[];
  /** Tasks that were left out of what is on its way. */
  readonly leftOut?: readonly string[];
}

/** Drafts with what is known of the server. */
export interface Copies {
  readonly drafts: Drafts;
  readonly known: Known;
  /** The latest moment of any decision on this device, of one whose stone is gone, too: what is decided next is later. */
  readonly latest: number;
}

/** Nothing. */
export const noCopies: Copies = { drafts: new Map(), known: nothingKnown, latest: 0 };

/** Two copies as one. */
export function joinCopies(one: Copies, other: Copies): Copies {
  return {
    drafts: mergeCopies(one.drafts, other.drafts),
    known: joinKnown(one.known, other.known),
    latest: Math.max(one.latest, other.latest),
  };
}

/** A stone stays for as long as a tab may not have heard of it, which a browser may have frozen. */
const stoneMs = 3_600_000;

/** The record of drafts; old stones of which the server holds nothing have done their work. */
export function writeRecord({ drafts, known, latest: before }: Copies): KeptDrafts {
  const latest = latestOf(drafts, before);
  return {
    latest,
    drafts: [...drafts.values()].filter((draft) => isMeant(draft) || draft.at > latest - stoneMs || isHeld(known, draft.taskId)),
    round: known.round,
    version: known.version,
    values: [...known.values].map(([taskId, value]) => ({ taskId, ...value })),
    sent: [...known.sent].flatMap(([taskId, values]) => values.flatMap((value) => value ?? []).map((value) => ({ taskId, ...value }))),
    leftOut: [...known.sent].flatMap(([taskId, values]) => (values.includes(undefined) ? taskId : [])),
  };
}

/** Reads it; a version before kept the drafts alone. */
export function readRecord(record: KeptDrafts | readonly Draft[] | undefined): Copies {
  if (record === undefined || !('drafts' in record)) {
    return { ...noCopies, drafts: byTask(record ?? []) };
  }
  const { drafts, latest, round, version, values, leftOut = [] } = record;
  const sent = new Map<string, (Value | undefined)[]>(leftOut.map((taskId) => [taskId, [undefined]]));
  for (const one of record.sent) {
    sent.set(one.taskId, [...(sent.get(one.taskId) ?? []), pickValue(one)]);
  }
  return { latest, drafts: byTask(drafts), known: { round, version, values: mapValues(values), sent } };
}
