/**
 * Where the drafts of reviews lie in this browser: what of a person is there, and taking it away. It comes with the first load, since signing out
 * needs it on every page.
 */
import { createStore, del, get, keys, type UseStore } from 'idb-keyval';
import { counts, type Draft, isUnsaved } from './drafts.ts';

/** Whose drafts of which review. */
export interface DraftsOf {
  readonly tenantId: string;
  readonly userId: string;
  readonly reviewId: string;
}

let store: UseStore | undefined;

/** Made when it is first needed: a browser may refuse it, and the console works without. */
export function getStore(): UseStore {
  store ??= createStore('countersign', 'drafts');
  return store;
}

export const keyOf = ({ tenantId, userId, reviewId }: DraftsOf): string => `${tenantId}/${userId}/${reviewId}`;

type Person = Pick<DraftsOf, 'tenantId' | 'userId'>;

async function listKeys({ tenantId, userId }: Person): Promise<string[]> {
  return (await keys<string>(getStore())).filter((key) => key.startsWith(`${tenantId}/${userId}/`));
}

/** Removes everything that was kept here of a person. */
export async function clearDrafts(person: Person): Promise<void> {
  await Promise.all((await listKeys(person)).map((key) => del(key, getStore())));
}

/** How many decisions of a person are not submitted: on this device alone, and on the server, too. */
export async function countDrafts(person: Person): Promise<{ readonly here: number; readonly onServer: number }> {
  // What stands beside the drafts of a review has one part more in its key.
  const boxes = (await listKeys(person)).filter((key) => key.split('/').length === 3);
  const drafts = (await Promise.all(boxes.map((key) => get<readonly Draft[]>(key, getStore())))).flatMap((held) => held ?? []);
  const meant = drafts.filter(counts);
  const here = meant.filter(isUnsaved).length;
  return { here, onServer: meant.length - here };
}
