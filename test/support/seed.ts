/** The seed of this run, for whatever tests try by chance: the same in every run, unless COUNTERSIGN_TEST_SEED says another. */
export const seedOfRun = Number(process.env['COUNTERSIGN_TEST_SEED'] ?? 20_260_301);
