/** Sample requests of the operations about how long things are kept. */
import type { MakeSample } from './sample.ts';

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'RetentionService.get': () => ({}),
  'RetentionService.update': () => ({ fields: { retention: { reportDays: 400 } } }),
};
