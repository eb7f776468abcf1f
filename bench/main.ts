/**
 * `npm run bench`: runs the figures one after the other in one company and prints each beside its peer and its limit, when it is there and in a
 * table at the end. What a figure measures is in its own file. One that fails is named, the next ones follow, and the exit code is 1. Options: --only NAME (may be repeated), --rows N (grants of the company, 1,000,000 unless given), --json,
 * --markdown (as docs/performance.md has it).
 */
import { parseArgs } from 'node:util';
import { measureBundle } from './evidence/bundle.ts';
import { measureC1z } from './sources/c1z.ts';
import { measureChoosing } from './choosing.ts';
import { measureConflicts } from './conflicts.ts';
import { measureDeciding } from './deciding.ts';
import { measureDirectory } from './sources/directory.ts';
import { type Figure, type FigureResult, measureAll } from './figure.ts';
import { measureImport } from './import.ts';
import { measureInventory } from './data/inventory.ts';
import { measureIsolation } from './isolation.ts';
import { measureMemory } from './memory.ts';
import { measurePaging } from './paging.ts';
import { measurePrepare } from './prepare.ts';
import { measureQueue } from './queue.ts';
import { measureReading } from './reading.ts';
import { measureRunning } from './running.ts';
import { measureSealing } from './evidence/sealing.ts';
import { measureSearch } from './search.ts';
import { measureTaskPages } from './task-pages.ts';
import { measureTokenEndpoint } from './token-endpoint.ts';
import { measureTranslated } from './translated.ts';
import { measureVerifying } from './evidence/verifying.ts';
import { openWorld, type World } from './data/world.ts';

const figures = new Map<string, Figure>([
  ['c1z', () => measureC1z(rows)],
  ['token', measureTokenEndpoint],
  ['import', measureImport],
  ['directory', measureDirectory],
  ['inventory', measureInventory],
  ['prepare', measurePrepare],
  // Before the figures that load the server with requests: what those leave in the heap is not theirs.
  ['memory', measureMemory],
  ['reading', measureReading],
  ['paging', measurePaging],
  ['search', measureSearch],
  ['task-pages', measureTaskPages],
  ['queue', measureQueue],
  ['isolation', measureIsolation],
  ['deciding', measureDeciding],
  ['choosing', measureChoosing],
  ['translated', measureTranslated],
  ['conflicts', measureConflicts],
  ['sealing', measureSealing],
  ['verifying', measureVerifying],
  // The last: it closes the review.
  ['running', measureRunning],
  // With a review of its own, since this closes the review, too, and starts the server anew.
  ['bundle', measureBundle],
]);

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    rows: { type: 'string', default: '1000000' },
    json: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
  },
});
/** Fewer than this do not have the changes that the figure of the inventory makes. */
const minRows = 20_000;
const rows = Number(values.rows);
const unknown = values.only?.find((name) => !figures.has(name));
if (unknown !== undefined || !Number.isInteger(rows) || rows < minRows) {
  console.error(
    unknown === undefined
      ? `--rows must be a whole number from ${minRows.toLocaleString('en')} on: some figures change 4,000 of them`
      : `--only is one of ${[...figures.keys()].join(', ')}`,
  );
  process.exit(2);
}

let opened: Promise<World> | undefined;
const world = (): Promise<World> => {
  opened ??= openWorld(rows);
  return opened;
};
/** Prints a figure as soon as it is measured: whoever stops the rest has what there was. */
function print(one: FigureResult): void {
  const { title, ours, peer, ratio, limit, isMet } = one;
  if (values.markdown) {
    console.log(`| ${[title, ours, peer, ratio.toFixed(2), limit, isMet ? 'met' : '**not met**'].join(' | ')} |`);
  } else if (!values.json) {
    console.log(`${title}: ${ours}; peer ${peer}; ratio ${ratio.toFixed(2)}; ${limit}: ${isMet ? 'met' : 'NOT MET'}`);
  }
}

const wanted = [...figures].filter(([name]) => values.only?.includes(name) ?? true);
const { results, failed } = await measureAll(wanted, world, print, (line) => console.error(line));
await (await opened?.catch(() => undefined))?.stop();
if (values.json) {
  console.log(JSON.stringify({ rows, figures: results, failed }, null, 2));
} else if (!values.markdown) {
  const lines = results.map((one) => [one.title, one.ours, one.peer, one.ratio.toFixed(2), one.limit, one.isMet ? 'met' : 'NOT MET']);
  console.log(`\n${table([['FIGURE', 'OURS', 'PEER', 'RATIO', 'LIMIT', ''], ...lines])}`);
}
if (failed.length > 0) {
  console.error(`\nNot measured, each with its reason above: ${failed.join(', ')}`);
  process.exitCode = 1;
}
