/** Opens a source by its fetcher alone, without a database, and reads what it holds. */
import type { DescMessage } from '@bufbuild/protobuf';
import type { Asked, Fetched, Fetcher } from '../../src/inventory/fetches/fetchers/index.ts';
import type { Facts, Settings } from '../../src/inventory/fetches/fetchers/types.ts';

/** Contents that were read. */
export interface ReadSource {
  /** '' for rows that are no file. */
  readonly text: string;
  readonly mark: string;
  readonly facts: Facts;
  readonly found: Fetched;
}

/** Parts of a wish for a fetch that tests change. */
export type Wish = Partial<Omit<Asked, 'settings' | 'installation'>> & {
  readonly allowed?: readonly string[];
  readonly settleMs?: number;
};

/** Reads a source to its end as a fetch does; undefined where nothing is new. */
export async function readSource<D extends DescMessage>(
  fetcher: Fetcher<D>,
  settings: Settings<D>,
  { allowed = [], settleMs = 0, ...wish }: Wish,
): Promise<ReadSource | undefined> {
  const found = await fetcher.open?.({
    settings,
    secrets: {},
    readSecrets: () => Promise.resolve({}),
    installation: { importDir: undefined, settleMs, outgoing: { allowed, allowsLocal: false } },
    isDirectory: false,
    host: 'test',
    lastMark: '',
    zone: '',
    clock: () => new Date(),
    signal: new AbortController().signal,
    ...wish,
  });
  if (found === undefined || 'isUnchanged' in found) {
    return undefined;
  }
  try {
    const pieces: Buffer[] = [];
    for (const content of found.contents) {
      for await (const piece of 'pieces' in content ? content.pieces : (content.batches as AsyncIterable<unknown>)) {
        pieces.push(Buffer.isBuffer(piece) ? piece : Buffer.from(JSON.stringify(piece)));
      }
    }
    const facts = await found.facts();
    return facts.isUnchanged ? undefined : { text: Buffer.concat(pieces).toString('utf8'), mark: found.mark, facts, found };
  } finally {
    await found.close?.();
  }
}

/** Returns the words of the failure of a fetch, and its kind. */
export async function failureOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: Error & { kind?: string; code?: string }) => `${error.kind ?? error.code ?? error.name}: ${error.message}`,
  );
}
