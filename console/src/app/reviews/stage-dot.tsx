/** The stage of a review as a dot with its word. */
import type { Stage } from '~/data/reviews/review.ts';
import { Dot } from '~/parts/words/dot.tsx';
import { text } from '~/text/text.ts';
import { stageKinds, stageWords } from './stage.ts';

export function StageDot({ stage }: { stage: Stage }) {
  return <Dot kind={stageKinds[stage]}>{text(stageWords[stage])}</Dot>;
}
