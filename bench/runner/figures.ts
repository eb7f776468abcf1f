/** The figures of `npm run bench`, in the order in which they are measured. */
import { measureBundle } from '../evidence/bundle.ts';
import { measureC1z } from '../sources/c1z.ts';
import { measureChoosing } from '../choosing.ts';
import { measureConflicts } from '../conflicts.ts';
import { measureDeciding } from '../deciding.ts';
import { measureDecidingCost } from '../deciding-cost.ts';
import { measureDirectory } from '../sources/directory.ts';
import { measureImport } from '../import.ts';
import { measureInventory } from '../data/inventory.ts';
import { measureIsolation } from '../isolation.ts';
import type { NamedFigure } from './measure-all.ts';
import { measureMemory } from '../memory.ts';
import { measurePaging } from '../paging.ts';
import { measurePrepare } from '../prepare.ts';
import { measureQueue } from '../queue.ts';
import { measureReading } from '../reading.ts';
import { measureRunning } from '../running.ts';
import { measureSealing } from '../evidence/sealing.ts';
import { measureSearch } from '../search.ts';
import { measureSigning } from '../evidence/signing.ts';
import { measureTaskPages } from '../task-pages.ts';
import { measureTokenEndpoint } from '../token-endpoint.ts';
import { measureTranslated } from '../translated.ts';
import { measureVerifying } from '../evidence/verifying.ts';

export const figures: readonly NamedFigure[] = [
  { name: 'c1z', reach: 'FULL_SIZE', measure: measureC1z },
  { name: 'token', reach: 'ANY_SIZE', measure: measureTokenEndpoint },
  { name: 'import', reach: 'FULL_SIZE', measure: measureImport },
  { name: 'directory', reach: 'ANY_SIZE', measure: measureDirectory },
  { name: 'inventory', reach: 'FULL_SIZE', measure: measureInventory },
  { name: 'prepare', reach: 'FULL_SIZE', measure: measurePrepare },
  // Before the figures that load the server with requests: what those leave in the heap is not theirs.
  { name: 'memory', reach: 'GROWING', measure: measureMemory },
  { name: 'reading', reach: 'ANY_SIZE', measure: measureReading },
  { name: 'paging', reach: 'GROWING', measure: measurePaging },
  { name: 'search', reach: 'GROWING', measure: measureSearch },
  { name: 'task-pages', reach: 'GROWING', measure: measureTaskPages },
  { name: 'queue', reach: 'GROWING', measure: measureQueue },
  { name: 'isolation', reach: 'GROWING', measure: measureIsolation },
  { name: 'deciding', reach: 'ANY_SIZE', measure: measureDeciding },
  { name: 'deciding-cost', reach: 'ANY_SIZE', measure: measureDecidingCost },
  { name: 'choosing', reach: 'FULL_SIZE', measure: measureChoosing },
  { name: 'translated', reach: 'FULL_SIZE', measure: measureTranslated },
  { name: 'conflicts', reach: 'GROWING', measure: measureConflicts },
  { name: 'sealing', reach: 'ANY_SIZE', measure: measureSealing },
  { name: 'signing', reach: 'ANY_SIZE', measure: measureSigning },
  { name: 'verifying', reach: 'ANY_SIZE', measure: measureVerifying },
  // The last: it closes the review.
  { name: 'running', reach: 'GROWING', measure: measureRunning },
  // With a review of its own, since this closes the review, too, and starts the server anew.
  { name: 'bundle', reach: 'GROWING', measure: measureBundle },
];
