/** Names of people at moments: what they were called when they did something, with today's name beside it where that is another one. */
import { useNamed } from './names.ts';
import { nameSince } from './names-since.ts';
import { call } from './query.ts';

/** A person, and when they did what is told. Nobody, or at no moment, where either is absent. */
export type NameRef = readonly [id: string | undefined, at: string | undefined];

/** Names somebody at a moment; empty for whoever cannot be read. */
export type NameAt = (id: string | undefined, at: string | undefined) => string;

/** Key of a person at a moment among names. */
export const momentKey = (id: string | undefined, at: string | undefined): string => `${id ?? ''} ${at ?? ''}`;

/** Names of at most a thousand people at moments, by their keys; `thenAlone` leaves today's name out, for files that are to say the same later. */
export async function loadNamesAt(keys: readonly string[], signal?: AbortSignal, thenAlone = false): Promise<[string, string][]> {
  const refs = keys.map((key) => key.split(' ')).map(([userId = '', at = '']) => (at === '' ? { userId } : { userId, at }));
  if (refs.length === 0) {
    return [];
  }
  const reply = await call('PersonWordsService.List', { refs }, signal === undefined ? {} : { signal });
  const named = new Map(
    (reply.list ?? []).map((one) => {
      const [then, now] = [one.displayName || one.email || '', one.currentDisplayName || one.currentEmail || ''];
      return [momentOf(one.userId, one.at), thenAlone ? then : nameSince(then, now)];
    }),
  );
  return refs.map(({ userId, at }, index) => [keys[index] ?? '', named.get(momentOf(userId, at)) ?? '']);
}

/** The moment as a number: the server spells times in its own way. */
const momentOf = (id: string | undefined, at: string | undefined): string => `${id} ${at === undefined ? '' : Date.parse(at)}`;

/** Names of people at moments. */
export function useNamesAt(refs: readonly NameRef[]): NameAt {
  const names = useNamed(
    'names-at',
    refs.flatMap(([id = '', at]) => (id === '' ? [] : [momentKey(id, at)])),
    (some, signal) => loadNamesAt(some, signal),
  );
  return (id, at) => names.get(momentKey(id, at)) ?? '';
}
