/** Sample requests of the operations that check expressions and test policies. */
import type { MakeSample } from './sample.ts';

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'ExpressionService.validate': () => ({
    fields: { text: 'subject.department == "Sales"', environment: 'EXPRESSION_ENVIRONMENT_REVIEW_USERS' },
  }),
  'PolicyTestService.test': (world) => ({
    path: { policy_id: world.policyId },
    fields: { appId: world.appId, appEntitlementId: world.entitlementId, appUserId: world.accountId },
  }),
  'PolicyService.validateCEL': () => ({ fields: { text: 'subject.department == "Sales"' } }),
};
