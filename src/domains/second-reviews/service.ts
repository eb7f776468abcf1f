/** The contract's methods about blind second reviews: each calls one rule and shapes the reply. */
import { AppError } from '../../errors.ts';
import { ReviewDecision, type ReviewDecisionJson } from '../../gen/countersign/v1/review_pb.js';
import {
  SecondReviewAnswerResultSchema,
  SecondReviewItemSchema,
  SecondReviewQuestionSchema,
  SecondReviewResultSchema,
  SecondReviewSchema,
  SecondReviewService,
  SecondReviewServiceAnswerResponseSchema,
  SecondReviewServiceDrawResponseSchema,
  SecondReviewServiceEndResponseSchema,
  SecondReviewServiceGetResponseSchema,
  SecondReviewServiceListItemsResponseSchema,
  SecondReviewServiceListMineResponseSchema,
  SecondReviewServiceListQuestionsResponseSchema,
  SecondReviewToAnswerSchema,
} from '../../gen/countersign/v1/second_review_pb.js';
import { pageByKey, pageOf } from '../../wire/page.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { listTerms } from '../tasks/index.ts';
import { answerQuestions } from './answer.ts';
import { drawSecondReview } from './draw.ts';
import { endSecondReview, figuresOf } from './end.ts';
import { readAsked, readCompared, readQuestions, readSecondReview } from './read.ts';
import type { SecondReviewRow } from './store.ts';
import type { ComparedRow, QuestionRow, SecondDecision } from './store-items.ts';

const wireOf = (decision: SecondDecision): ReviewDecisionJson =>
  decision === '' ? 'REVIEW_DECISION_UNSPECIFIED' : decision === 'APPROVE' ? 'REVIEW_DECISION_CERTIFY' : 'REVIEW_DECISION_DENY';

const rounded = (share: number): number => Math.round(share * 1_000_000) / 1_000_000;

function shapeSecondReview(row: SecondReviewRow) {
  const { rate, lower, upper } = figuresOf(row);
  const result = {
    answered: String(row.answered),
    disagreements: String(row.disagreements),
    rate: rounded(rate),
    lower: rounded(lower),
    upper: rounded(upper),
  };
  return shape(SecondReviewSchema, {
    accessReviewId: row.reviewId,
    state: `SECOND_REVIEW_STATE_${row.state}`,
    seed: row.seed,
    population: String(row.population),
    populationSha256: row.populationDigest,
    items: String(row.items),
    reviewerIds: [...row.reviewerIds],
    createdById: row.createdById,
    createdAt: timestamp(row.createdAt),
    endedAt: timestamp(row.endedAt),
    answered: String(row.answered),
    ...(row.state === 'ENDED' ? { result: shape(SecondReviewResultSchema, result) } : {}),
  });
}

function shapeItem(row: ComparedRow) {
  return shape(SecondReviewItemSchema, {
    place: String(row.place),
    taskId: row.taskId,
    appDisplayName: row.appName,
    account: row.account,
    person: row.person,
    resource: row.resource,
    entitlement: row.entitlement,
    firstDecision: wireOf(row.firstDecision),
    firstDecidedById: row.firstDecidedById,
    firstDecidedAt: timestamp(row.firstDecidedAt),
    secondDecision: wireOf(row.decision),
    secondDecidedById: row.decidedById,
    secondDecidedAt: timestamp(row.decidedAt),
    secondComment: row.comment,
    disagrees: row.decision !== '' && row.decision !== row.firstDecision,
  });
}

function shapeQuestion(row: QuestionRow) {
  return shape(SecondReviewQuestionSchema, {
    taskId: row.taskId,
    appDisplayName: row.appName,
    account: row.account,
    accountType: row.accountType,
    accountStatus: row.accountStatus,
    person: row.person,
    department: row.department,
    jobTitle: row.jobTitle,
    resource: row.resource,
    entitlement: row.entitlement,
    entitlementDescription: row.description,
    riskLevel: row.riskLevel,
    grantedAt: timestamp(row.grantedAt),
    lastUsedAt: timestamp(row.lastUsedAt),
    terms: listTerms(row.flags).map(({ term }) => term),
    score: row.score,
    answer: wireOf(row.decision),
    comment: row.comment,
  });
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
  draw: async (context, { accessReviewId, sharePercent, number, reviewerIds }) =>
    shape(SecondReviewServiceDrawResponseSchema, {
      secondReview: shapeSecondReview(
        await drawSecondReview(context, accessReviewId, { sharePercent, number: Number(number), reviewerIds }),
      ),
    }),
  get: async (context, { accessReviewId }) =>
    shape(SecondReviewServiceGetResponseSchema, { secondReview: shapeSecondReview(await readSecondReview(context, accessReviewId)) }),
  end: async (context, { accessReviewId }) =>
    shape(SecondReviewServiceEndResponseSchema, { secondReview: shapeSecondReview(await endSecondReview(context, accessReviewId)) }),
  listItems: async (context, { accessReviewId, onlyDisagreements }, call) => {
    const { rows, nextPageToken } = await pageOf(
      call,
      (after, limit) => readCompared(context, accessReviewId, onlyDisagreements, Number(after), limit),
      ({ place }) => String(place),
    );
    return shape(SecondReviewServiceListItemsResponseSchema, { list: rows.map(shapeItem), nextPageToken });
  },
  listMine: async (context, _request, call) => {
    const { rows, nextPageToken } = await pageOf(
      call,
      (after, limit) => readAsked(context, after, limit),
      ({ reviewId }) => reviewId,
    );
    const list = rows.map(({ reviewId, displayName, asked, answered }) =>
      shape(SecondReviewToAnswerSchema, { accessReviewId: reviewId, displayName, asked: String(asked), answered: String(answered) }),
    );
    return shape(SecondReviewServiceListMineResponseSchema, { list, nextPageToken });
  },
  listQuestions: async (context, { accessReviewId }, call) => {
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => readQuestions(context, accessReviewId, Number(after?.[0] ?? 0), limit),
      ({ place }) => [String(place)],
    );
    return shape(SecondReviewServiceListQuestionsResponseSchema, { list: rows.map(shapeQuestion), nextPageToken });
  },
  answer: async (context, { accessReviewId, answers }) => {
    const results = await answerQuestions(context, accessReviewId, readAnswers(answers));
    return shape(SecondReviewServiceAnswerResponseSchema, {
      results: results.map((result) => shape(SecondReviewAnswerResultSchema, result)),
    });
  },
});

/** What this module serves. */
export const services: readonly BoundService[] = [secondReviews];
