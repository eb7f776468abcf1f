/** The contract's methods about blind second reviews: each calls one rule and shapes the reply. */
import { AppError } from '../../errors.ts';
import { ReviewDecision, type ReviewDecisionJson } from '../../gen/countersign/v1/review_pb.js';
import { SecondReviewService } from '../../gen/countersign/v1/second_review_pb.js';
import { pageByKey, readPage } from '../../wire/page.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { listTerms } from '../tasks/index.ts';
import { answerQuestions } from './answer.ts';
import { drawSecondReview } from './draw.ts';
import { endSecondReview, secondReviewFigures } from './end.ts';
import { readAsked, readCompared, readQuestions, readSecondReview } from './read.ts';
import type { SecondReviewRow } from './store.ts';
import type { ComparedRow, QuestionRow, SecondDecision } from './store-items.ts';

const wireOf = (decision: SecondDecision): ReviewDecisionJson =>
  decision === '' ? 'REVIEW_DECISION_UNSPECIFIED' : decision === 'APPROVE' ? 'REVIEW_DECISION_CERTIFY' : 'REVIEW_DECISION_DENY';

const rounded = (share: number): number => Math.round(share * 1_000_000) / 1_000_000;

function shapeSecondReview(row: SecondReviewRow) {
  const { rate, lower, upper } = secondReviewFigures(row);
  const result = {
    answered: row.answered,
    disagreements: row.disagreements,
    rate: rounded(rate),
    lower: rounded(lower),
    upper: rounded(upper),
  };
  return {
    ...row,
    accessReviewId: row.reviewId,
    populationSha256: row.populationDigest,
    result: row.state === 'ENDED' ? result : undefined,
  };
}

function shapeItem(row: ComparedRow) {
  return {
    ...row,
    appDisplayName: row.appName,
    firstDecision: wireOf(row.firstDecision),
    secondDecision: wireOf(row.decision),
    secondDecidedById: row.decidedById,
    secondDecidedAt: row.decidedAt,
    secondComment: row.comment,
    secondIssuerId: row.issuerId,
    disagrees: row.decision !== '' && row.decision !== row.firstDecision,
  };
}

function shapeQuestion(row: QuestionRow) {
  return {
    ...row,
    appDisplayName: row.appName,
    entitlementDescription: row.description,
    terms: listTerms(row.flags).map(({ term }) => term),
    answer: wireOf(row.decision),
  };
}

/** Each answer with what it says; INVALID_ARGUMENT where one says nothing. */
function readAnswers(answers: readonly { readonly taskId: string; readonly decision: ReviewDecision; readonly comment: string }[]) {
  const violations = answers.flatMap(({ decision }, index) =>
    decision === ReviewDecision.UNSPECIFIED ? [{ field: `answers[${index}].decision`, description: 'must be certify or deny' }] : [],
  );
  if (violations.length > 0) {
    throw new AppError('INVALID_ARGUMENT', 'Each answer must say certify or deny.', { violations });
  }
  return answers.map(({ taskId, decision, comment }) => ({
    taskId,
    comment,
    decision: decision === ReviewDecision.CERTIFY ? ('APPROVE' as const) : ('DENY' as const),
  }));
}

const secondReviews = implement(SecondReviewService, {
  draw: async (context, { accessReviewId, sharePercent, number, reviewerIds }) => ({
    secondReview: shapeSecondReview(await drawSecondReview(context, accessReviewId, { sharePercent, number: Number(number), reviewerIds })),
  }),
  get: async (context, { accessReviewId }) => ({ secondReview: shapeSecondReview(await readSecondReview(context, accessReviewId)) }),
  end: async (context, { accessReviewId }) => ({ secondReview: shapeSecondReview(await endSecondReview(context, accessReviewId)) }),
  listItems: async (context, { accessReviewId, onlyDisagreements }, call) => {
    const { rows, nextPageToken } = await readPage(
      call,
      (after, limit) => readCompared(context, accessReviewId, onlyDisagreements, Number(after), limit),
      ({ place }) => String(place),
    );
    return { list: rows.map(shapeItem), nextPageToken };
  },
  listMine: async (context, _request, call) => {
    const { rows, nextPageToken } = await readPage(
      call,
      (after, limit) => readAsked(context, after, limit),
      ({ reviewId }) => reviewId,
    );
    const list = rows.map(({ reviewId, displayName, asked, answered }) => ({ accessReviewId: reviewId, displayName, asked, answered }));
    return { list, nextPageToken };
  },
  listQuestions: async (context, { accessReviewId }, call) => {
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => readQuestions(context, accessReviewId, Number(after?.[0] ?? 0), limit),
      ({ place }) => [String(place)],
    );
    return { list: rows.map(shapeQuestion), nextPageToken };
  },
  answer: async (context, { accessReviewId, answers }) => {
    const results = await answerQuestions(context, accessReviewId, readAnswers(answers));
    return { results };
  },
});

/** Services of this module. */
export const services: readonly BoundService[] = [secondReviews];
