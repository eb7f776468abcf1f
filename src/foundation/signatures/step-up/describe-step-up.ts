/** A step-up as the event of its signature vouches for it. */
import type { JsonObject } from '@bufbuild/protobuf';
import type { TransactionRow } from './store-transactions.ts';

/** Facts about a step-up that are of nobody and never change once it was used; its token is vouched for by itself. */
export function describeStepUp(
  row: Pick<
    TransactionRow,
    'providerId' | 'sessionId' | 'credentialId' | 'taskId' | 'policyStepId' | 'provider' | 'createdAt' | 'expiresAt'
  >,
): JsonObject {
  return {
    ...(row.provider as JsonObject | null),
    begunAt: row.createdAt.toISOString(),
    credential: row.credentialId,
    expiresAt: row.expiresAt.toISOString(),
    provider: row.providerId,
    session: row.sessionId,
    step: row.policyStepId,
    task: row.taskId,
  };
}
