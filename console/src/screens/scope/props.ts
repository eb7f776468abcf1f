/** Props of every part of the form. */
import type { Lists } from './use-lists.ts';
import type { Draft } from './use-draft.ts';

export interface PartProps {
  readonly reviewId: string;
  readonly draft: Draft;
}

/** Further props of every clause of what is asked. */
export interface ClauseProps extends PartProps {
  readonly lists: Lists;
  /** Count of grants this clause leaves out of what the clauses before it left, or chooses; undefined while that is not known. */
  readonly count: string | undefined;
}
