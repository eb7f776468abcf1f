/**
 * Possible findings about an item: the terms with their points, and how they are kept with a task (`tasks.flags`, `tasks.score`). Finding which of
 * them hold is store-judge.ts, saying so in sentences is insights.ts.
 */

/** Facts known of an item when its task is made, each a bit of `tasks.flags`. The numbers are kept in the database: none changes. */
export const flagBits = {
  LEAVER: 0,
  DENIED_BEFORE: 1,
  CONFLICT: 2,
  ORPHAN: 3,
  DORMANT: 4,
  RISK_CRITICAL: 5,
  RISK_HIGH: 6,
  RISK_MEDIUM: 7,
  OUTLIER: 8,
  COMMON: 9,
  MOVER: 10,
  NEW: 11,
  EXTERNAL: 12,
  DISABLED_ACCOUNT: 13,
  CERTIFIED_BEFORE: 14,
  UNKNOWN_USE: 15,
  INHERITED: 16,
  TEMPORARY: 17,
  NO_DESCRIPTION: 18,
  // What follows are no terms: what changed since the review before, whether there is one, and whether anything of this was found at all.
  ACCOUNT_CHANGED: 19,
  RISK_CHANGED: 20,
  WAY_CHANGED: 21,
  COMPARED: 22,
  JUDGED: 23,
  // Whom the person was compared with: by department and title, by department, or (neither) by manager.
  PEERS_BY_TITLE: 24,
  PEERS_BY_DEPARTMENT: 25,
  PAST_END: 26,
  FORMER_ADDRESS: 27,
} as const;

/** A fact that is kept as a bit. */
export type Flag = keyof typeof flagBits;

/** The points of each flag that has any; together they are the score. */
export const points: Partial<Readonly<Record<Flag, number>>> = {
  LEAVER: 60,
  DENIED_BEFORE: 40,
  CONFLICT: 40,
  ORPHAN: 30,
  DORMANT: 30,
  PAST_END: 30,
  RISK_CRITICAL: 30,
  RISK_HIGH: 20,
  RISK_MEDIUM: 5,
  OUTLIER: 20,
  FORMER_ADDRESS: 20,
  COMMON: -20,
  MOVER: 15,
  NEW: 10,
  EXTERNAL: 10,
  DISABLED_ACCOUNT: 10,
  CERTIFIED_BEFORE: -15,
};

/** A term as people read of it: the name of its flag, and one for all risks. */
export type Term = Exclude<Flag, `RISK_${string}` | `${string}_CHANGED` | 'COMPARED' | 'JUDGED' | `PEERS_BY_${string}`> | 'RISK';

/** The terms in the order they are listed, each with the flags it stands for. */
const termFlags: Readonly<Record<Term, readonly Flag[]>> = {
  LEAVER: ['LEAVER'],
  DENIED_BEFORE: ['DENIED_BEFORE'],
  CONFLICT: ['CONFLICT'],
  ORPHAN: ['ORPHAN'],
  DORMANT: ['DORMANT'],
  PAST_END: ['PAST_END'],
  RISK: ['RISK_CRITICAL', 'RISK_HIGH', 'RISK_MEDIUM'],
  FORMER_ADDRESS: ['FORMER_ADDRESS'],
  OUTLIER: ['OUTLIER'],
  COMMON: ['COMMON'],
  MOVER: ['MOVER'],
  NEW: ['NEW'],
  EXTERNAL: ['EXTERNAL'],
  DISABLED_ACCOUNT: ['DISABLED_ACCOUNT'],
  CERTIFIED_BEFORE: ['CERTIFIED_BEFORE'],
  UNKNOWN_USE: ['UNKNOWN_USE'],
  INHERITED: ['INHERITED'],
  TEMPORARY: ['TEMPORARY'],
  NO_DESCRIPTION: ['NO_DESCRIPTION'],
};

/** True if a flag is among those of a task. */
export function hasFlag(flags: number, flag: Flag): boolean {
  return (flags & (1 << flagBits[flag])) !== 0;
}

/** A number with the bits of these flags. */
export function getMask(...flags: readonly Flag[]): number {
  return flags.reduce((mask, flag) => mask | (1 << flagBits[flag]), 0);
}

/** The terms that hold, in the order they are listed, each with its points. */
export function listTerms(flags: number): { term: Term; points: number }[] {
  return Object.entries(termFlags).flatMap(([term, of]) => {
    const holds = of.filter((flag) => hasFlag(flags, flag));
    return holds.length === 0 ? [] : [{ term: term as Term, points: holds.reduce((sum, flag) => sum + (points[flag] ?? 0), 0) }];
  });
}

/** From this score on the advice is to deny. */
export const denyFrom = 60;
/** From this one on it is to look closer. */
export const reviewFrom = 20;
/** At this score or below the advice is to approve, where no term has points against the access. */
const approveUpTo = -15;

/** The flags that have points against the access. */
const againstMask = getMask(...(Object.keys(points) as Flag[]).filter((flag) => (points[flag] ?? 0) > 0));

/** Changes of an item that was one in the review before. */
export const changedMask = getMask('MOVER', 'ACCOUNT_CHANGED', 'RISK_CHANGED', 'WAY_CHANGED');

/** Advice, in the words of InsightRecommendation without their prefix. */
export type Advice = 'UNSPECIFIED' | 'APPROVE' | 'DENY' | 'REVIEW';

/** The advice that follows from what was found of a task. */
export function getAdvice({ score, flags }: { readonly score: number; readonly flags: number }): Advice {
  if (!hasFlag(flags, 'JUDGED')) {
    return 'UNSPECIFIED';
  }
  if (score >= denyFrom) {
    return 'DENY';
  }
  if (score >= reviewFrom) {
    return 'REVIEW';
  }
  return score <= approveUpTo && (flags & againstMask) === 0 ? 'APPROVE' : 'UNSPECIFIED';
}
