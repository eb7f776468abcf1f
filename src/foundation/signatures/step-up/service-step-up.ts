/** The contract's service about step-ups: each method calls one rule and shapes the reply. */
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { AppError } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import {
  type StepUpTransaction,
  StepUpTransactionService,
  StepUpTransactionState,
  TargetType,
} from '../../../gen/c1/api/stepup/v1/stepup_pb.js';
import { readPage } from '../../../wire/page.ts';
import { type Row, unset } from '../../../wire/row.ts';
import { type BoundService, implement } from '../../../wire/service.ts';
import { holds } from '../../authority/index.ts';
import { findTransaction, listTransactions, type TransactionRow, type TransactionState } from './store-transactions.ts';

/** Answers no token and no nonce: who reads step-ups reads what the token said. */
function shapeTransaction({ now }: Context, row: TransactionRow): Row<StepUpTransaction> {
  const { id, userId, providerId, signatureId, taskId, policyStepId, createdAt, updatedAt, expiresAt, claims } = row;
  const isLate = row.state === 'PENDING' && now >= expiresAt;
  return {
    ...{ id, userId, providerId, signatureId, createdAt, updatedAt, expiresAt, claims: claims ?? undefined },
    state: isLate ? 'ERROR' : row.state,
    errorMessage: isLate ? 'Nobody came back within 15 minutes.' : row.errorMessage,
    ...(signatureId === '' ? { test: {} } : taskId === '' ? {} : { approveTask: { taskId, policyStepId } }),
  };
}

const states: Readonly<Record<StepUpTransactionState, TransactionState | undefined>> = {
  [StepUpTransactionState.UNSPECIFIED]: undefined,
  [StepUpTransactionState.PENDING]: 'PENDING',
  [StepUpTransactionState.VERIFIED]: 'VERIFIED',
  [StepUpTransactionState.ERROR]: 'ERROR',
};
const targets = { [TargetType.UNSPECIFIED]: undefined, [TargetType.TICKET]: false, [TargetType.TEST]: true } as const;

/** Step-ups as the contract offers them. */
export const transactionService: BoundService = implement(StepUpTransactionService, {
  get: async (context, request) => {
    const row = await findTransaction(context, request.id);
    if (row === undefined || (row.userId !== context.actor.userId && !holds(context.actor, 'settings.read'))) {
      throw new AppError('NOT_FOUND', 'There is no step-up of yours with this id.');
    }
    return { transaction: shapeTransaction(context, row) };
  },
  search: async (context, request, call) => {
    const { providerId, taskId, createdAfter, createdBefore } = request;
    const readsAll = holds(context.actor, 'settings.read');
    // Whoever reads their own alone finds nothing of others.
    if (!readsAll && request.userId !== '' && request.userId !== context.actor.userId) {
      return { list: [], ...unset('nextPageToken') };
    }
    const filter = {
      ...{ providerId, taskId },
      userId: readsAll ? request.userId : context.actor.userId,
      state: states[request.state],
      isTest: targets[request.targetType],
      after: createdAfter === undefined ? undefined : timestampDate(createdAfter),
      before: createdBefore === undefined ? undefined : timestampDate(createdBefore),
    };
    const { rows, nextPageToken } = await readPage(call, (before, limit) => listTransactions(context, filter, before, limit));
    return { list: rows.map((row) => shapeTransaction(context, row)), nextPageToken };
  },
});
