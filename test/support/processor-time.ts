/** The processor time of a piece of work, for tests that it grows with its input alone: other work on the machine takes none of it. */

/** Milliseconds of processor time that this process takes while the work runs. */
export async function processorTimeOf(work: () => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
