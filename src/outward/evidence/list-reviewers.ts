/**
 * People who had to do with the decisions of a review, by their own words: those of its close, and every other name, address and employee id that they
 * acted under. What they are called since is nowhere, so that the same review makes the same lines.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import type { Context } from '../../context.ts';
import { listPersonWords, type PersonWords, type Words, wordsAt } from '../../foundation/directory/index.ts';
import type { BundlePlace } from './member.ts';
import { listLaterWords, listReviewerIds } from './store.ts';

/** A line about somebody; `words` is there where they had more than one name. */
export interface ReviewerLine {
  readonly id: string;
  readonly person: JsonObject;
  readonly words?: readonly JsonObject[];
}

/** Lists them by their ids, behind one. */
export async function listReviewers(
  context: Context,
  reviewId: string,
  [after = '']: readonly string[],
  limit: number,
  { review }: BundlePlace,
): Promise<ReviewerLine[]> {
  const people = await listPersonWords(context, await listReviewerIds(context, review, after, limit));
  const renamed = [...people.values()].filter(({ former }) => former.length > 0);
  const moved = renamed.map(({ id, former }) => ({ id, moments: former.map(({ until }) => until) }));
  const later = moved.length === 0 ? [] : await listLaterWords(context, reviewId, moved);
  return [...people.values()]
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map((person) => {
      const acted = new Set(later.filter(({ id }) => id === person.id).map(({ before }) => before));
      const words = listSpans(person).filter(
        ({ since, until }, at) =>
          acted.has(at) || ((until === null || until > review.createdAt) && (since === null || since <= (review.closedAt ?? context.now))),
      );
      return {
        id: person.id,
        person: { ...wordsAt(person, review.closedAt), type: person.userType },
        ...(words.length < 2
          ? {}
          : { words: words.map(({ since, until: _, ...said }) => ({ ...said, since: since?.toISOString() ?? null })) }),
      };
    });
}

/** All words that somebody ever had, the oldest first, with the moments between which they were theirs. */
function listSpans(person: PersonWords): (Words & { readonly since: Date | null; readonly until: Date | null })[] {
  const { displayName, email, employeeId, former } = person;
  return [...former, { displayName, email, employeeId, until: null }].map((words, at) => ({
    ...words,
    since: former[at - 1]?.until ?? null,
  }));
}
