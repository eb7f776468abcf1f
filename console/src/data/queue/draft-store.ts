/**
 * Sealed store of what somebody has not submitted, in this browser: reading it, changing it, and taking it away. It comes with the first load,
 * since signing out needs it on every page.
 */
import { createStore, del, get, keys, promisifyRequest, type UseStore } from 'idb-keyval';
import { type DraftKey, type Sealed, seal, unseal } from './draft-seal.ts';

/** Owner and review of drafts. */
export interface DraftsOf {
  readonly tenantId: string;
  readonly userId: string;
  readonly reviewId: string;
  readonly draftKey: DraftKey;
}

const parts = ['drafts', 'submission', 'second'] as const;

/** The kinds of records that are sealed: decisions, the submission of them that waits, and answers of a second review. */
export type KeptPart = (typeof parts)[number];

/** Owner of drafts. */
export type Person = Omit<DraftsOf, 'reviewId'>;

let store: UseStore | undefined;
let last: Promise<unknown> = Promise.resolve();
const lossListeners = new Set<() => void>();

/** Longest a browser may take to open its storage or to answer from it: one that takes longer does not answer at all. */
const patienceMs = 5_000;

let refusal: Error | undefined;

/** Answers of the storage of this browser, or fails: a browser may refuse it, or never answer, and the console works without. It is not asked again then. */
async function answerSoon<T>(work: () => Promise<T>): Promise<T> {
  if (refusal !== undefined) {
    throw refusal;
  }
  // Of the time in which the page is awake: one that slept is not a storage that is silent.
  const patience = AbortSignal.timeout(patienceMs);
  const silence = new Promise<never>((_, reject) => patience.addEventListener('abort', () => reject(patience.reason)));
  try {
    // A second time, since a browser may close a connection that rests.
    return await Promise.race([work().catch(work), silence]);
  } catch (error) {
    refusal = error as Error;
    throw error;
  }
}

/** Made when it is first needed. */
export function getStore(): UseStore {
  if (store === undefined) {
    const opened = createStore('countersign', 'drafts');
    store = (mode, use) => answerSoon(async () => opened(mode, use));
  }
  return store;
}

/** The beginning of the names of all records about a review. */
export const draftsKey = ({ tenantId, userId, reviewId }: Omit<DraftsOf, 'draftKey'>): string => `${tenantId}/${userId}/${reviewId}`;

const nameOf = (of: DraftsOf, part: KeptPart): string => `${draftsKey(of)}/${part}/${of.draftKey.id}`;

/** Name of a plain record from before sealing. */
const plainNameOf = (of: DraftsOf, part: KeptPart): string => (part === 'drafts' ? draftsKey(of) : `${draftsKey(of)}/${part}`);

/** Calls back when a record did not open and was removed. */
export function whenDraftsLost(run: () => void): void {
  lossListeners.add(run);
}

/** One after the other, in the order of the calls: sealing takes its time, and what is asked for later must not overtake it. */
function inOrder<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work);
  last = result.catch(() => undefined);
  return result;
}

const versionOf = (record: Sealed | undefined): string => (record === undefined ? '' : `version ${record.nonce}`);

/** Writes the record, or removes it, unless another tab changed it since it was read. Whether it did. */
function swap(name: string, before: Sealed | undefined, after: Sealed | undefined): Promise<boolean> {
  return getStore()('readwrite', async (records) => {
    const held = await promisifyRequest<Sealed | undefined>(records.get(name));
    if (versionOf(held) !== versionOf(before)) {
      return false;
    }
    const isWritten = promisifyRequest(records.transaction);
    after === undefined ? records.delete(name) : records.put(after, name);
    await isWritten;
    return true;
  });
}

/** Opens it; a record that does not is removed, and said to be lost. */
async function open<T>(of: DraftsOf, name: string, record: Sealed | undefined): Promise<T | undefined> {
  if (record === undefined) {
    return undefined;
  }
  const value = await unseal<T>(of.draftKey, name, record);
  if (value === undefined && (await swap(name, record, undefined))) {
    for (const run of lossListeners) {
      run();
    }
  }
  return value;
}

async function change<T>(of: DraftsOf, part: KeptPart, to: (held: T | undefined) => T | undefined): Promise<void> {
  const name = nameOf(of, part);
  for (;;) {
    const record = await get<Sealed>(name, getStore());
    const value = await open<T>(of, name, record);
    const before = value === undefined ? undefined : record;
    const next = to(value);
    if (await swap(name, before, next === undefined ? undefined : await seal(of.draftKey, name, next))) {
      return;
    }
  }
}

/** Seals what a version before kept as it was. */
async function sealPlain(of: DraftsOf, part: KeptPart): Promise<void> {
  const plain = await get<unknown>(plainNameOf(of, part), getStore());
  if (plain !== undefined) {
    const { mergePlain } = await import('./kept-drafts.ts');
    await change<unknown>(of, part, (held) => mergePlain[part](held, plain));
    await del(plainNameOf(of, part), getStore());
  }
}

/** Record kept of a review; undefined where nothing is. */
export function readKept<T>(of: DraftsOf, part: KeptPart): Promise<T | undefined> {
  return inOrder(async () => {
    await sealPlain(of, part);
    const name = nameOf(of, part);
    return open<T>(of, name, await get<Sealed>(name, getStore()));
  });
}

/** Changes what is kept, or removes it for undefined. What another tab writes meanwhile is not lost: `to` is asked again with it. */
export function changeKept<T>(of: DraftsOf, part: KeptPart, to: (held: T | undefined) => T | undefined): Promise<void> {
  return inOrder(() => change(of, part, to));
}

/** Names of all records of a person. */
export async function listNames({ tenantId, userId }: Omit<Person, 'draftKey'>): Promise<string[]> {
  return (await keys<string>(getStore())).filter((name) => name.startsWith(`${tenantId}/${userId}/`));
}

/** Seals all that a version before kept of a person as it was. */
export function sealAllPlain(person: Person): Promise<void> {
  return inOrder(async () => {
    for (const name of await listNames(person)) {
      const [, , reviewId = '', part = 'drafts', keyId] = name.split('/');
      const plain = parts.find((one) => one === part);
      if (keyId === undefined && plain !== undefined) {
        await sealPlain({ ...person, reviewId }, plain);
      }
    }
  });
}

/** Removes everything that was kept here of a person. */
export function clearDrafts(person: Omit<Person, 'draftKey'>): Promise<void> {
  return inOrder(async () => {
    await Promise.all((await listNames(person)).map((name) => del(name, getStore())));
  });
}
