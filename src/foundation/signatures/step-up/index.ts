/** The public interface of the part step-up: somebody proves anew who they are. */
export { beginStepUp, type BegunStepUp, callbackUrl } from './begin-step-up.ts';
export { findBrokenRule, findOutdated } from './check-claims.ts';
export { describeStepUp } from './describe-step-up.ts';
export { finishStepUp } from './finish-step-up.ts';
export { nonceOf } from './nonce.ts';
export { transactionService } from './service-step-up.ts';
export { findTransaction, type TransactionRow, type TransactionState, updateUsed, type UsedProvider } from './store-transactions.ts';
