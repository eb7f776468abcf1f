/** The newest object of a bucket whose name fits, and reading it. */
import { FetchFault } from '../tables/fetch-fault.ts';
import { announcedBytes, readBody, readShort } from '../web-files/ask.ts';
import { addressOf, askStore, type Store } from './ask-store.ts';
import { type ListingPage, readListing, type S3Object } from './read-listing.ts';

const maxPageBytes = 8 * 1024 * 1024;
/** Of 1,000 objects each. */
const maxPages = 100;
const maxObjectBytes = 20 * 1024 ** 3;

/** Objects of interest. */
export interface FoundObjects {
  readonly newest: S3Object;
  /** Lies beside it under a longer name; undefined where nothing does. */
  readonly beside: S3Object | undefined;
}

/** Names that are looked for in a bucket. */
export interface WantedNames {
  /** Beginning of the keys that are listed. */
  readonly prefix: string;
  /** Beginning of a key that is no part of the name. */
  readonly folder: string;
  fits(name: string): boolean;
  /** End of the name of what lies beside an object. */
  readonly suffix: string;
}

/** Finds the newest object. Throws a FetchFault where there is none. */
export async function findNewest(store: Store, { prefix, folder, fits, suffix }: WantedNames): Promise<FoundObjects> {
  let newest: S3Object | undefined;
  const beside = new Map<string, S3Object>();
  for await (const object of listObjects(store, prefix)) {
    const name = object.key.startsWith(folder) ? object.key.slice(folder.length) : '';
    if (name.endsWith(suffix)) {
      beside.set(object.key, object);
    } else if (!name.includes('/') && fits(name) && (newest === undefined || isNewer(object, newest))) {
      newest = object;
    }
  }
  if (newest === undefined) {
    throw new FetchFault(
      'UNREACHED',
      `No object of the bucket ${JSON.stringify(store.settings.bucket)} fits. Names of files that are still written are left out.`,
    );
  }
  return { newest, beside: beside.get(newest.key + suffix) };
}

function isNewer(one: S3Object, other: S3Object): boolean {
  const ahead = one.modifiedAt.getTime() - other.modifiedAt.getTime();
  return ahead > 0 || (ahead === 0 && one.key > other.key);
}

async function* listObjects(store: Store, prefix: string): AsyncGenerator<S3Object> {
  let next = '';
  for (let count = 0; count < maxPages; count++) {
    const page = await readPage(store, prefix, next);
    yield* page.objects;
    if (page.next === '') {
      return;
    }
    next = page.next;
  }
  throw new FetchFault('SETTINGS', `More than ${maxPages * 1000} objects begin like this. Set a longer prefix, or move old ones away.`);
}

async function readPage(store: Store, prefix: string, next: string): Promise<ListingPage> {
  const url = addressOf(store.settings, '');
  url.pathname = url.pathname.replace(/\/$/, '');
  const query = {
    'list-type': '2',
    delimiter: '/',
    'encoding-type': 'url',
    'max-keys': '1000',
    prefix,
    ...(next !== '' && { 'continuation-token': next }),
  };
  // As signatures need it: a space is %20.
  url.search = Object.entries(query)
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&');
  const answer = await askStore(store, url);
  const { host } = answer.url;
  const { signal } = store.parts;
  const xml = await readShort(answer.body, { signal, host, bytes: announcedBytes(answer) }, maxPageBytes);
  if (xml === undefined) {
    throw new FetchFault('REFUSED', `${host} answered a listing of more than 8 MiB.`);
  }
  try {
    return readListing(xml.toString('utf8'));
  } catch (error) {
    throw new FetchFault('REFUSED', `${host} answered something that is no listing of S3.`, { cause: error });
  }
}

/** Opens an object as the listing has it. Throws a FetchFault where it was replaced since; reading throws one where it is not whole. */
export async function openObject(store: Store, { key, etag, bytes }: S3Object): Promise<AsyncGenerator<Buffer>> {
  if (bytes > maxObjectBytes) {
    throw new FetchFault('REFUSED', 'The object has more than 20 GiB. Fetch less of it.');
  }
  const answer = await askStore(store, addressOf(store.settings, key), etag === '' ? {} : { 'if-match': etag });
  return readBody(answer.body, { signal: store.parts.signal, host: answer.url.host, bytes });
}

/** Reads a small object whole; undefined where it is larger than `most` bytes. */
export async function readObject(store: Store, object: S3Object, most: number): Promise<string | undefined> {
  if (object.bytes > most) {
    return undefined;
  }
  const pieces: Buffer[] = [];
  for await (const piece of await openObject(store, object)) {
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
