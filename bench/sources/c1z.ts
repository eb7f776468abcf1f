/**
 * Figure: reading the file of a connector as rows, beside a bare SELECT of the same columns in the same order by the same SQLite. Both begin with the
 * database as it is expanded, and are counted in processor time: a thread reads for us.
 */
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { openC1z } from '../../src/lib/c1z/open-c1z.ts';
import { startReader } from '../../src/lib/c1z/start-reader.ts';
import { takeRows } from '../../src/lib/c1z/take-rows.ts';
import { processorTimeOf } from '../../test/support/processor-time.ts';
import { writeCompanyC1z } from '../data/c1z.ts';
import { sizeOf } from '../data/company.ts';
import { atMost, type Figure, median, seconds } from '../figure.ts';

const rounds = 3;

function selectAll(database: string): void {
  const db = new DatabaseSync(database, { readOnly: true, returnArrays: true });
  const grants = db.prepare(`SELECT principal_resource_type_id, principal_resource_id, entitlement_id, data, needs_expansion, expansion
    FROM v1_grants ORDER BY principal_resource_type_id, principal_resource_id`);
  for (const row of grants.iterate()) {
    void row;
  }
  db.close();
}

async function readAll(database: string): Promise<void> {
  const reader = startReader(database, {});
  const opened = await reader.next();
  if (opened.kind !== 'OPENED') {
    throw new Error(JSON.stringify(opened));
  }
  for await (const batch of takeRows(opened, reader.next, () => undefined)) {
    void batch;
  }
  reader.end();
}

/** Memory above idle in MB, and the 99th percentile of the event loop's delay in ms, while a whole file is read. */
async function measureBeside(file: string): Promise<{ readonly memory: number; readonly delay: number }> {
  const idle = process.memoryUsage().rss;
  let peak = idle;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 20);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const c1z = await openC1z(createReadStream(file));
  for await (const batch of c1z.table.batches) {
    void batch;
  }
  await c1z.close();
  delay.disable();
  clearInterval(timer);
  return { memory: (peak - idle) / 1024 ** 2, delay: delay.percentile(99) / 1e6 };
}

/** A company of as many grants as that of the run; it needs no server. */
export const measureC1z: Figure = async (_, { rows: grants }) => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-c1z-'));
  try {
    const [database, file] = [join(folder, 'sync.db'), join(folder, 'sync.c1z')];
    await writeCompanyC1z(database, file, sizeOf(grants));
    const [ours, bare]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      bare.push((await processorTimeOf(() => selectAll(database))) / 1000);
      ours.push((await processorTimeOf(() => readAll(database))) / 1000);
    }
    const { memory, delay } = await measureBeside(file);
    const title = `${grants.toLocaleString('en')} grants of a c1z`;
    return [
      atMost(2, {
        title: `${title} to rows`,
        ours: seconds(median(ours)),
        peer: `${seconds(median(bare))} bare SELECT`,
        ratio: median(ours) / median(bare),
      }),
      atMost(
        1,
        { title: `${title}: memory above idle`, ours: `${memory.toFixed(0)} MB`, peer: '150 MB', ratio: memory / 150 },
        'of the peer',
      ),
      atMost(
        1,
        { title: `${title}: delay of others, p99`, ours: `${delay.toFixed(0)} ms`, peer: '50 ms', ratio: delay / 50 },
        'of the peer',
      ),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
