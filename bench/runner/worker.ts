/** The process that measures: supervise.ts starts it with the names of the figures, and ends it where one hangs. */
import { openWorld, type World } from '../data/world.ts';
import type { Run } from '../figure.ts';
import { figures } from './figures.ts';
import { measureAll, type NamedFigure } from './measure-all.ts';

/** What the process is told as its argument. */
export interface Orders extends Run {
  readonly names: readonly string[];
}

const { names, ...run } = JSON.parse(process.argv[2] ?? '') as Orders;
// Whoever started it has gone: nothing of it stays, neither server nor database.
process.once('disconnect', () => process.kill(-process.pid, 'SIGTERM'));

let opened: Promise<World> | undefined;
const world = (): Promise<World> => {
  opened ??= openWorld(run.rows);
  return opened;
};
const wanted = names.map((name) => figures.find((figure) => figure.name === name)).filter((one): one is NamedFigure => one !== undefined);
await measureAll(wanted, world, run, (step) => process.send?.(step));
await (await opened?.catch(() => undefined))?.stop();
process.removeAllListeners('disconnect');
process.disconnect();
