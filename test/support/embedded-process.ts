/**
 * A process of ours that opens a data directory, for tests whose machine, account or disk is not that of the test: `node embedded-process.ts DIR SQL...`.
 * Prints the first column of the last row of each statement, or `refused: ` and the sentence of the refusal; ends with 1 then.
 */
import pg from 'pg';
import { silentLogger } from '../../src/context.ts';
import { explainFailure } from '../../src/db/embedded/explain-start.ts';
import { keepServer } from '../../src/db/embedded/keep.ts';

const [dataDir = '', ...statements] = process.argv.slice(2);

try {
  const server = await keepServer(dataDir, silentLogger);
  const client = new pg.Client(server.databaseConfig);
  client.on('error', () => undefined);
  await client.connect();
  for (const sql of statements) {
    const result = await client.query({ text: sql, rowMode: 'array' }).catch((error: Error) => ({ rows: [[error.message]] }));
    process.stdout.write(`${String((result.rows as unknown[][] | undefined)?.at(-1)?.[0] ?? '')}\n`);
  }
  await client.end();
  await server.release();
} catch (error) {
  process.stdout.write(`refused: ${(explainFailure(error, dataDir) as Error).message}\n`);
  process.exitCode = 1;
}
process.exit();
