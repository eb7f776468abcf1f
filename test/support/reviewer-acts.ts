/** What a reviewer does to the items of a review, and what they mean by it in the end. Pure. */

/** One thing that is done to an item, which is named by its place in the list. */
export type ReviewerAct =
  | { readonly kind: 'certify'; readonly item: number }
  | { readonly kind: 'deny'; readonly item: number; readonly words: string }
  /** `typed` is what the keyboard writes into the field of the day; `day` is YYYY-MM-DD. */
  | { readonly kind: 'until'; readonly item: number; readonly typed: string; readonly day: string }
  | { readonly kind: 'comment'; readonly item: number; readonly words: string }
  /** `name` is typed into the search of people. */
  | { readonly kind: 'pass'; readonly item: number; readonly name: string; readonly words: string }
  | { readonly kind: 'takeBack'; readonly item: number };

/** What is meant about an item. */
export interface Meant {
  readonly decision: 'certified' | 'denied' | 'passed' | 'nothing';
  readonly words: string;
  /** The last day on which it holds; empty for no end. */
  readonly day: string;
  readonly comments: readonly string[];
}

const nothing: Meant = { decision: 'nothing', words: '', day: '', comments: [] };

/** What is meant about each item after all of it. */
export function meantBy(acts: readonly ReviewerAct[], items: number): Meant[] {
  const all: Meant[] = Array.from({ length: items }, () => nothing);
  for (const act of acts) {
    const before = all[act.item] ?? nothing;
    const { comments } = before;
    all[act.item] =
      act.kind === 'comment'
        ? { ...before, comments: [...comments, act.words] }
        : act.kind === 'certify'
          ? { ...nothing, comments, decision: 'certified' }
          : act.kind === 'until'
            ? { ...nothing, comments, decision: 'certified', day: act.day }
            : act.kind === 'deny'
              ? { ...nothing, comments, decision: 'denied', words: act.words }
              : act.kind === 'pass'
                ? { ...nothing, comments, decision: 'passed', words: act.words }
                : { ...nothing, comments };
  }
  return all;
}

/** A review of nine items: certified, denied, until a day, commented, passed on, changed after the first thought, taken back and decided anew. */
export function wholeReview(words: (number: number) => string, until: { readonly typed: string; readonly day: string }): ReviewerAct[] {
  return [
    { kind: 'certify', item: 0 },
    { kind: 'deny', item: 1, words: words(1) },
    { kind: 'certify', item: 2 },
    { kind: 'comment', item: 2, words: words(2) },
    { kind: 'pass', item: 3, name: 'Farid', words: words(3) },
    { kind: 'certify', item: 4 },
    { kind: 'takeBack', item: 4 },
    { kind: 'deny', item: 4, words: words(4) },
    { kind: 'deny', item: 5, words: words(5) },
    { kind: 'takeBack', item: 5 },
    { kind: 'certify', item: 5 },
    { kind: 'until', item: 6, ...until },
    { kind: 'deny', item: 7, words: words(7) },
    { kind: 'certify', item: 8 },
  ];
}
