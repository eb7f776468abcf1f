/**
 * What every test file begins with: properties try the same values in every run, so that a run fails for what was changed and never by
 * chance. COUNTERSIGN_TEST_SEED gives another seed, to look for what these values do not find.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['COUNTERSIGN_TEST_SEED'] ?? 20_260_301) });
