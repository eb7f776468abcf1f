/** The contract's service that tests policies. It finds people as tasks do, so it lives with them. */
import { PolicyTestService, PolicyTestServiceTestResponseSchema } from '../../gen/countersign/v1/policy_test_pb.js';
import { shape } from '../../wire/reply.ts';
import { implement } from '../../wire/service.ts';
import { testPolicy } from './test-policy.ts';

/** The service. */
export const policyTestService = implement(PolicyTestService, {
  test: async (context, { policyId, appId, appEntitlementId, appUserId, userId }) => {
    const result = await testPolicy(context, policyId, { appId, appEntitlementId, appUserId, userId });
    return shape(PolicyTestServiceTestResponseSchema, {
      ...result,
      rules: [...result.rules],
      steps: result.steps.map((step) => ({ ...step, people: [...step.people], passed: [...step.passed] })),
      policyIds: [...result.policyIds],
    });
  },
});
