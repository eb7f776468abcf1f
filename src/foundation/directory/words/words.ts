/** Words by which a person is named at a moment: evidence names everybody by those of its act. */

import type { Context } from '../../../context.ts';
import { listPersonWords } from './store-words.ts';

/** A person's name, address and employee id; each is '' where there is none. */
export interface Words {
  readonly displayName: string;
  readonly email: string;
  readonly employeeId: string;
}

/** A person's words of today, and those of before, the oldest first, each with the moment until which they were theirs. */
export interface PersonWords extends Words {
  readonly id: string;
  readonly userType: 'HUMAN' | 'SERVICE';
  readonly former: readonly (Words & { readonly until: Date })[];
}

/** Words of nobody. */
const noWords: Words = { displayName: '', email: '', employeeId: '' };

/** Returns the words of a person at a moment, as `person_words` does; of no moment those of today. */
export function wordsAt(person: PersonWords | undefined, at: Date | null): Words {
  const { displayName, email, employeeId } = (at && person?.former.find(({ until }) => until > at)) ?? person ?? noWords;
  return { displayName, email, employeeId };
}

/** Names of these people at these moments, in their order: their addresses where they had none, and '' for nobody. */
export async function listNamesAt(context: Context, refs: readonly { readonly id: string; readonly at: Date }[]): Promise<string[]> {
  return (await listWordsAt(context, refs)).map(({ displayName, email }) => displayName || email);
}

/** What these people were called at these moments, in their order; nobody has empty words. */
export async function listWordsAt(context: Context, refs: readonly { readonly id: string; readonly at: Date }[]): Promise<Words[]> {
  const people = await listPersonWords(
    context,
    refs.map(({ id }) => id),
  );
  return refs.map(({ id, at }) => wordsAt(people.get(id), at));
}
