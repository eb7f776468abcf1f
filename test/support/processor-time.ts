/** The processor time of a piece of work, for tests of what it costs: other work on the machine takes none of it. */
import { readFile } from 'node:fs/promises';

/** Milliseconds of processor time that this process takes while the work runs. */
export async function processorTimeOf(work: () => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}

/** Milliseconds of processor time that another process has taken so far, as Linux counts them in hundredths of a second. */
export async function readProcessorTime(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  // Behind the name, which may have spaces in it, the twelfth and thirteenth: in the program, and in the system for it.
  const [user, system] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}
