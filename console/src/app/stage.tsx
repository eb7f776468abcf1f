/** The stage of a review as a chip, a dot, and in words: the same everywhere. */
import { Chip } from '../parts/chip.tsx';
import { Dot } from '../parts/dot.tsx';
import type { Stage } from '../data/review.ts';
import { type PlainTextKey, text } from '../text/text.ts';

const words: Readonly<Record<Stage, PlainTextKey>> = {
  draft: 'stage.draft',
  preparing: 'stage.preparing',
  prepared: 'stage.prepared',
  starting: 'stage.starting',
  running: 'stage.running',
  late: 'stage.late',
  closed: 'stage.closed',
  gone: 'stage.gone',
};

const kinds: Readonly<Record<Stage, 'ok' | 'no' | 'info' | 'plain'>> = {
  draft: 'plain',
  preparing: 'info',
  prepared: 'info',
  starting: 'info',
  running: 'ok',
  late: 'no',
  closed: 'plain',
  gone: 'plain',
};

export function StageChip({ stage }: { stage: Stage }) {
  return <Chip kind={kinds[stage]}>{text(words[stage])}</Chip>;
}

export function StageDot({ stage }: { stage: Stage }) {
  return <Dot kind={kinds[stage]}>{text(words[stage])}</Dot>;
}
