/** Chooses the sync of a c1z that is taken, with what it says of itself: the newest that is finished and full, unless it left out what must be there. */
import { C1zError } from './c1z-error.ts';
import { listSyncs } from './store.ts';
import type { C1zDatabase } from './store-database.ts';
import { textIn } from './texts.ts';

/** A finished full sync. */
export interface Sync {
  readonly id: string;
  readonly startedAt: string;
  readonly incompleteReason: string;
  /** Rows that it says it has, by their table's name without `v1_`. */
  readonly counts: ReadonlyMap<string, number>;
}

const maxSyncs = 10_000;

/** Chooses the sync to take. Throws a C1zError where there is none, and for one that was told to skip grants. */
export function chooseSync(db: C1zDatabase): Sync {
  let newest: { readonly row: readonly string[]; readonly endedAt: string } | undefined;
  const others = new Set<string>();
  let count = 0;
  for (const found of listSyncs(db)) {
    if (++count > maxSyncs) {
      throw new C1zError(`the file has more than ${maxSyncs} syncs`);
    }
    const row = found.map(textIn);
    const [, , endedAt = '', , type = ''] = row;
    if (endedAt === '') {
      others.add('an unfinished one');
    } else if (type !== 'full') {
      others.add(`one of the type ${JSON.stringify(type.slice(0, 40))}`);
    } else if (newest === undefined || endedAt > newest.endedAt) {
      newest = { row, endedAt };
    }
  }
  if (newest === undefined) {
    const has = others.size === 0 ? '' : `; it has ${[...others].slice(0, 5).join(' and ')}`;
    throw new C1zError(`the file has no finished full sync${has}; let the connector finish one`);
  }
  const [id = '', startedAt = '', , token = '', , stats = ''] = newest.row;
  return { id, startedAt, incompleteReason: readToken(token), counts: readCounts(stats) };
}

/** The reason why a sync is not complete, '' where it is. */
function readToken(text: string): string {
  const token = readObject(text, 'the token of the sync');
  for (const member of ['should_skip_grants', 'should_skip_entitlements_and_grants']) {
    if (token[member] === true) {
      throw new C1zError(`the connector was told to leave out grants (${member}); run it without that`);
    }
  }
  const quality = token['ingest_quality'];
  const dropped = Object.entries(typeof quality === 'object' && quality !== null ? quality : {}).filter(
    ([name, value]) => name.endsWith('_dropped') && Number(value) > 0,
  );
  return dropped.length > 0 ? 'INGEST_DROPPED' : '';
}

function readCounts(text: string): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(readObject(text, 'the statistics of the sync')).flatMap(([name, value]) =>
      typeof value === 'number' ? [[name, value]] : [],
    ),
  );
}

function readObject(text: string, what: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = text === '' ? {} : JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Refused below, as any other text.
  }
  throw new C1zError(`${what} in the file is not a JSON object`);
}
