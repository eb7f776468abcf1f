/** Requests as somebody would write them, for the OpenAPI document: what is hard to guess from the schema alone. A test sends each. */

/** A request and the sentence over it. */
export interface RequestExample {
  readonly summary: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** An id of the form that ids have; the reader puts that of a person there. */
export const person = '2c1Vh0kW7Qd3mYfP5sTzXbLrN8a';

/** Examples by operation, then by a name of their own. */
export const requestExamples: Readonly<Record<string, Readonly<Record<string, RequestExample>>>> = {
  'c1.api.policy.v1.PolicyService.Create': {
    manager: {
      summary: 'The manager decides; who has none is decided by a person of your choice',
      value: {
        displayName: 'The manager',
        policyType: 'POLICY_TYPE_CERTIFY',
        policySteps: {
          certify: {
            steps: [{ approval: { manager: { fallback: true, fallbackUserIds: [person] }, requireDenialReason: true } }],
          },
        },
      },
    },
    owners: {
      summary: 'The owners of the app decide, and may pass tasks on',
      value: {
        displayName: 'Owners of the app',
        policyType: 'POLICY_TYPE_CERTIFY',
        policySteps: { certify: { steps: [{ approval: { appOwners: {}, allowReassignment: true } }] } },
      },
    },
    people: {
      summary: 'Two people by name, either of whom decides',
      value: {
        displayName: 'The auditors',
        policyType: 'POLICY_TYPE_CERTIFY',
        policySteps: { certify: { steps: [{ approval: { users: { userIds: [person] } } }] } },
      },
    },
  },
  'c1.api.accessreview.v1.AccessReviewService.Create': {
    draft: { summary: 'A draft with a name; its scope is set afterwards', value: { displayName: 'Who may use the ledger?' } },
  },
  'c1.api.user.v1.UserService.Search': {
    text: { summary: 'People by a part of their name or address', value: { query: 'mara', pageSize: 25 } },
  },
  'c1.api.task.v1.TaskService.Search': {
    open: { summary: 'Open tasks', value: { taskStates: ['TASK_STATE_OPEN'], pageSize: 25 } },
  },
  'countersign.v1.ReviewActionsService.Close': {
    skip: { summary: 'What nobody decided stays as it is', value: { decision: 'CLOSE_DECISION_SKIP' } },
    revoke: { summary: 'What nobody decided is revoked', value: { decision: 'CLOSE_DECISION_REVOKED' } },
  },
};
