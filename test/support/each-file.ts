/**
 * Start of every test file. Properties try the same values in every run, so that a run fails for what was changed and never by chance:
 * COUNTERSIGN_TEST_SEED gives another seed, to look for what these values do not find. The clock of a file before counts no longer. Tests that are
 * known to be unsteady are left out, where the suite says so.
 */
import fc from 'fast-check';
import { beforeEach, expect } from 'vitest';
import { forgetMoment } from '../../src/wire/ids.ts';
import { seedOfRun } from './seed.ts';
import { leftOutOf } from './unsteady.ts';

fc.configureGlobal({ seed: seedOfRun });
forgetMoment();

const leftOut = leftOutOf(expect.getState().testPath ?? '');
if (leftOut.size > 0) {
  beforeEach(({ task, skip }) => {
    const unsteady = leftOut.get(task.fullTestName);
    if (unsteady !== undefined) {
      skip(`left out as unsteady: ${unsteady.message}`);
    }
  });
}
