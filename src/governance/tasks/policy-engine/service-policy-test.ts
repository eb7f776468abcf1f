/** The contract's service that tests policies. It finds people as tasks do, so it lives with them. */
import { PolicyTestService } from '../../../gen/countersign/v1/policy_test_pb.js';
import { implement } from '../../../wire/service.ts';
import { testPolicy } from './test-policy.ts';

/** The service. */
export const policyTestService = implement(PolicyTestService, {
  test: async (context, { policyId, appId, appEntitlementId, appUserId, userId }) => {
    const result = await testPolicy(context, policyId, { appId, appEntitlementId, appUserId, userId });
    return { ...result, steps: result.steps.map((step) => ({ ...step, people: [...step.people], passed: [...step.passed] })) };
  },
});
