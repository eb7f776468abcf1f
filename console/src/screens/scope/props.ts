/** What every part of the form gets. */
import type { Draft } from './use-draft.ts';

export interface PartProps {
  readonly reviewId: string;
  readonly draft: Draft;
}
