/**
 * `npm run bench`: runs the figures one after the other in one company and prints each beside its peer and its limit. What a figure measures
 * is in its own file. Options: --only NAME (may be repeated), --rows N (grants of the company, 1,000,000 unless given), --json,
 * --markdown (as docs/performance.md has it).
 */
import { parseArgs } from 'node:util';
import { measureChoosing } from './choosing.ts';
import { measureConflicts } from './conflicts.ts';
import { measureDeciding } from './deciding.ts';
import type { Figure, FigureResult } from './figure.ts';
import { measureImport } from './import.ts';
import { measureInventory } from './inventory.ts';
import { measureIsolation } from './isolation.ts';
import { measureMemory } from './memory.ts';
import { measurePaging } from './paging.ts';
import { measurePrepare } from './prepare.ts';
import { measureQueue } from './queue.ts';
import { measureReading } from './reading.ts';
import { measureRunning } from './running.ts';
import { measureSearch } from './search.ts';
import { measureTaskPages } from './task-pages.ts';
import { measureTokenEndpoint } from './token-endpoint.ts';
import { measureTranslated } from './translated.ts';
import { openWorld, type World } from './world.ts';

const figures = new Map<string, Figure>([
  ['token', measureTokenEndpoint],
  ['import', measureImport],
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
  // The last: it closes the review.
  ['running', measureRunning],
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
const rows = Number(values.rows);
const unknown = values.only?.find((name) => !figures.has(name));
if (unknown !== undefined || !Number.isInteger(rows) || rows < 1000) {
  console.error(
    unknown === undefined ? '--rows must be a whole number from 1000 on' : `--only is one of ${[...figures.keys()].join(', ')}`,
  );
  process.exit(2);
}

let opened: Promise<World> | undefined;
const world = (): Promise<World> => {
  opened ??= openWorld(rows);
  return opened;
};
const results: FigureResult[] = [];
try {
  for (const [name, figure] of figures) {
    if (values.only === undefined || values.only.includes(name)) {
      console.error(`measuring: ${name}`);
      results.push(...(await figure(world)));
    }
  }
} finally {
  await (await opened?.catch(() => undefined))?.stop();
}
if (values.json) {
  console.log(JSON.stringify({ rows, figures: results }, null, 2));
} else if (values.markdown) {
  const cells = results.map((one) => [one.title, one.ours, one.peer, one.ratio.toFixed(2), one.limit, one.isMet ? 'met' : '**not met**']);
  console.log(cells.map((row) => `| ${row.join(' | ')} |`).join('\n'));
} else {
  const lines = results.map((one) => [one.title, one.ours, one.peer, one.ratio.toFixed(2), one.limit, one.isMet ? 'met' : 'NOT MET']);
  console.log(table([['FIGURE', 'OURS', 'PEER', 'RATIO', 'LIMIT', ''], ...lines]));
}
