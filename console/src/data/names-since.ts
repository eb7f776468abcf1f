/** Names of today beside names of then, where evidence comes with the names that people had when they did something. */
import { text } from '~/text/text.ts';
import { useNames } from './names.ts';
import { useMay } from './session/session.ts';

/** Names somebody as they were called, with today's name beside it where that is another one. */
export type NameSince = (id: string | undefined, then: string | undefined) => string;

/** Puts today's name beside the one of then; where nobody knows today's, as of somebody whose data was erased, the one of then stands alone. */
export function nameSince(then = '', now = ''): string {
  return then === '' || now === '' || then === now ? then : text('parts.nameSince', { then, now });
}

/** Names these people. Whoever does not read the inventory sees the names of then alone. */
export function useNamesSince(ids: readonly (string | undefined)[]): NameSince {
  const mayRead = useMay('inventory.read');
  const names = useNames(mayRead ? ids : []);
  return (id = '', then = '') => nameSince(then, names.get(id));
}
