/** Reading of records of drafts, for what is seldom done with them: it does not come with the first load. */
import { listNames, type Person, readKept } from './draft-store.ts';
import { counts, type Draft } from './drafts.ts';
import { isUnsaved, joinCopies, type KeptDrafts, readRecord, writeRecord } from './known.ts';

/** Records of a version that did not seal, as one with what is kept since; by their kind. */
export const mergePlain = {
  drafts: (held: unknown, plain: unknown): unknown => {
    const [ours, theirs] = [readRecord(held as KeptDrafts | undefined), readRecord(plain as readonly Draft[])];
    return writeRecord(joinCopies(ours, theirs));
  },
  submission: (held: unknown, plain: unknown): unknown => held ?? plain,
  second: (held: unknown, plain: unknown): unknown => ({ ...(plain as object), ...((held ?? {}) as object) }),
} as const;

/** Counts decisions a person has not submitted: on this device alone, and on the server, too. */
export async function countDrafts(person: Person): Promise<{ readonly here: number; readonly onServer: number }> {
  const reviews = (await listNames(person)).filter((name) => name.endsWith(`/drafts/${person.draftKey.id}`));
  const held = await Promise.all(reviews.map((name) => readKept<KeptDrafts>({ ...person, reviewId: name.split('/')[2] ?? '' }, 'drafts')));
  const meant = held.map(readRecord).flatMap(({ drafts, known }) => {
    return [...drafts.values()].filter(counts).map((draft) => isUnsaved(draft, known));
  });
  const here = meant.filter(Boolean).length;
  return { here, onServer: meant.length - here };
}
