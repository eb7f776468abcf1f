/** A whole mail from its notices: one section for each review or other thing, one subject. Nothing where none of them has anything to say any more. */
import { type Facts, type NoticeRow, isAsking } from './notices/index.ts';
import { type RenderedMail, renderMail } from './mailers/index.ts';
import { saySubjects } from './say-subjects.ts';
import { reviewName, type Said, sayAsked, sayTold } from './say-review.ts';
import { countNoun, plain } from './say-words.ts';

/** A mail that lists more is not read, and some servers would not take it. */
const maxSections = 30;

/** A mail, and the notices that it says. */
export interface WrittenMail extends RenderedMail {
  readonly notices: readonly NoticeRow[];
}

/** Writes the mail of these notices; undefined where there is nothing to say. */
export function writeMail(notices: readonly NoticeRow[], facts: Facts, tenantHost: string): WrittenMail | undefined {
  const keyOf = (id: string): string => {
    const review = facts.reviews.get(id);
    return `${review === undefined ? '' : reviewName(review)} ${id}`;
  };
  const reviewIds = [...new Set(notices.map(({ reviewId }) => reviewId).filter((id) => id !== ''))].sort((a, b) =>
    keyOf(a) < keyOf(b) ? -1 : 1,
  );
  const ofReviews = reviewIds.flatMap((reviewId): Said[] => {
    const review = facts.reviews.get(reviewId);
    const mine = notices.filter((notice) => notice.reviewId === reviewId);
    return [
      sayAsked(
        review,
        mine.filter(({ kind }) => isAsking(kind)),
        facts,
      ),
      sayTold(
        review,
        mine.filter(({ kind }) => !isAsking(kind)),
        facts,
      ),
    ].filter((one) => one !== undefined);
  });
  const ofSubjects = saySubjects(
    notices.filter(({ reviewId }) => reviewId === ''),
    facts,
  );
  const said = [...ofReviews, ...ofSubjects];
  const [first] = said;
  if (first === undefined) {
    return undefined;
  }
  const rest = said.length - maxSections;
  const { displayName, email } = facts.recipient;
  const rendered = renderMail({
    subject:
      said.length === 1
        ? first.subject
        : `${countNoun(said.length, 'message')} about ${ofSubjects.length === 0 ? 'access reviews' : 'access'}`,
    greeting: `Hello ${plain(displayName || email)},`,
    sections: said.slice(0, maxSections).map(({ section }) => section),
    footer: [
      ...(rest > 0 ? [`And ${countNoun(rest, 'more message')}: ${facts.linkTo('/')}`] : []),
      `Countersign sends you this because you review access, or ${ofSubjects.length === 0 ? 'own a review' : 'look after it'}, at ${tenantHost}.`,
    ],
  });
  return { ...rendered, notices: said.flatMap((one) => one.notices) };
}
