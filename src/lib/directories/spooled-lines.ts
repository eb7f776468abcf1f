/** Everything that is read of a directory waits in a file, a line of JSON each, until all of it is there; then rows are made of the lines. */

const maxBatchRows = 1_000;
/** Characters that are written to the file at once. */
const pieceLength = 256 * 1024;

/** File that the lines wait in. */
export interface Spool {
  append(text: string): Promise<void>;
  read(): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

/** Writer that collects lines, so that the file is written in large pieces. */
export interface LineWriter<Line> {
  write(line: Line): Promise<void>;
  /** To be called behind the last line. */
  flush(): Promise<void>;
}

/** Makes a writer of lines. */
export function createLineWriter<Line>(spool: Spool): LineWriter<Line> {
  let waiting = '';
  const flush = async (): Promise<void> => {
    const text = waiting;
    waiting = '';
    await spool.append(text);
  };
  return {
    flush,
    async write(line) {
      waiting += `${JSON.stringify(line)}\n`;
      if (waiting.length > pieceLength) {
        await flush();
      }
    },
  };
}

/** Yields the lines in the order in which they were written. */
export async function* readLines<Line>(spool: Spool): AsyncGenerator<Line> {
  let rest: Buffer[] = [];
  for await (const piece of spool.read()) {
    let from = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
      const text = Buffer.concat([...rest, piece.subarray(from, end)]).toString('utf8');
      rest = [];
      from = end + 1;
      yield JSON.parse(text) as Line;
    }
    rest.push(piece.subarray(from));
  }
}

/** Yields the same rows in batches of a size that an import takes. */
export async function* inBatches(pieces: AsyncIterable<readonly string[][]>): AsyncGenerator<string[][]> {
  let batch: string[][] = [];
  for await (const rows of pieces) {
    for (const row of rows) {
      batch.push(row);
      if (batch.length === maxBatchRows) {
        yield batch;
        batch = [];
      }
    }
  }
  if (batch.length > 0) {
    yield batch;
  }
}

/** Returns a step of `granted_via`: what a holder of this entitlement holds more by it. */
export function writeStep(resourceType: string, resource: string, entitlement: string): string {
  return [resourceType, resource, entitlement].map((part) => part.replace(/[\\/>]/g, '\\$&')).join('/');
}
