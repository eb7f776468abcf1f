/** The stages of a review in words and colours: the same everywhere. */
import type { Stage } from '~/data/reviews/review.ts';
import type { PlainTextKey } from '~/text/text.ts';

export const stageWords: Readonly<Record<Stage, PlainTextKey>> = {
  draft: 'stage.draft',
  preparing: 'stage.preparing',
  prepared: 'stage.prepared',
  starting: 'stage.starting',
  running: 'stage.running',
  late: 'stage.late',
  closed: 'stage.closed',
  gone: 'stage.gone',
};

export const stageKinds: Readonly<Record<Stage, 'ok' | 'no' | 'info' | 'plain'>> = {
  draft: 'plain',
  preparing: 'info',
  prepared: 'info',
  starting: 'info',
  running: 'ok',
  late: 'no',
  closed: 'plain',
  gone: 'plain',
};
