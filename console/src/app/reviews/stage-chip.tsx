/** The stage of a review as a chip. */
import type { Stage } from '~/data/reviews/review.ts';
import { Chip } from '~/parts/words/chip.tsx';
import { text } from '~/text/text.ts';
import { stageKinds, stageWords } from './stage.ts';

export function StageChip({ stage }: { stage: Stage }) {
  return <Chip kind={stageKinds[stage]}>{text(stageWords[stage])}</Chip>;
}
