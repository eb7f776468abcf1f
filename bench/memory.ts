/**
 * Figure: how much more memory (resident set) the server's process holds at most while it imports, prepares and reports than it held idle
 * before any work. PostgreSQL's processes are not in it.
 */
import type { Figure, FigureResult } from './figure.ts';

const limitMegabytes = 150;
const limitOfReport = 80;

/** At most 150 MB above idle for import and prepare, and 80 MB for a report. */
export const measureMemory: Figure = async (open) => {
  const world = await open();
  const peer = `${world.idleMemory.toFixed(0)} MB idle`;
  const line = (what: string, extra: number, limit: number): FigureResult => ({
    title: `memory during ${what}`,
    ours: `${(world.idleMemory + extra).toFixed(0)} MB`,
    peer,
    ratio: (world.idleMemory + extra) / world.idleMemory,
    limit: `at most ${limit} MB above idle`,
    isMet: extra <= limit,
  });
  return [
    line('import', (await world.imported()).extraMemory, limitMegabytes),
    line('prepare', (await world.prepared()).extraMemory, limitMegabytes),
    line('report', (await world.reported()).extraMemory, limitOfReport),
  ];
};
