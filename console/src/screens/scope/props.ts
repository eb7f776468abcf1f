/** What every part of the form gets. */
import type { Lists } from './use-lists.ts';
import type { Draft } from './use-draft.ts';

export interface PartProps {
  readonly reviewId: string;
  readonly draft: Draft;
}

/** What every clause of what is asked gets beside that. */
export interface ClauseProps extends PartProps {
  readonly lists: Lists;
  /** How many grants this clause leaves out of what the clauses before it left, or chooses; undefined while that is not known. */
  readonly count: string | undefined;
}
