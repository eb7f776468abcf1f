/**
 * Start of every test file: properties try the same values in every run, so that a run fails for what was changed and never by chance.
 * COUNTERSIGN_TEST_SEED gives another seed, to look for what these values do not find.
 */
import fc from 'fast-check';
import { seedOfRun } from './seed.ts';

fc.configureGlobal({ seed: seedOfRun });
