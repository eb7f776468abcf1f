/** Expressions are checked for editors, and refused with their place where they are saved: in reviews and in policies. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, request, violatedFields } from '../support/api.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

describe('expressions over HTTP', () => {
  let server: TestServer;
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const validate = async (text: string, environment: string) =>
    (await admin('POST', '/api/v1/cel/validate', { text, environment: `EXPRESSION_ENVIRONMENT_${environment}` })).body;
  const marker = (line: number, from: number, to: number, message: unknown) => ({
    startLineNumber: line,
    startColumn: from,
    endLineNumber: line,
    endColumn: to,
    severity: 'ERROR',
    message,
  });

  beforeAll(async () => {
    server = await useTestServer();
  });
  afterAll(() => server.stop());

  it('say what they give, or what is wrong and where', async () => {
    expect(await validate('subject.department == "Sales"', 'REVIEW_USERS')).toEqual({ markers: [], result: 'bool' });
    expect(await validate('appOwners', 'POLICY_APPROVER')).toEqual({ markers: [], result: 'users' });
    expect(await validate('true &&\n  subject.departmnt == ""', 'REVIEW_USERS')).toEqual({
      markers: [marker(2, 11, 20, expect.stringContaining('line 2, column 11: User has no field departmnt'))],
      result: '',
    });
    expect((await validate('c1.app_user.v1.X(subject)', 'REVIEW_ACCOUNTS')).markers).toEqual([
      marker(1, 1, 17, 'line 1, column 1: there is no function c1.app_user.v1.X() here'),
    ]);
    const nowhere = await admin('POST', '/api/v1/cel/validate', { text: 'true' });
    expect(violatedFields(nowhere)).toEqual(['environment']);
  });

  it('of policies may be conditions or find approvers', async () => {
    const check = async (text: string) => (await admin('POST', '/api/v1/policies/validate/cel', { text })).body.markers;
    expect(await check('entitlement.riskLevelValueId == "x"')).toEqual([]);
    expect(await check('c1.directory.users.v1.GetManagers(subject)')).toEqual([]);
    expect(await check('appOwners.exists(o, o.nothing == "")')).toHaveLength(1);
    expect(await check('entitlement.riskLevel ==')).toEqual([marker(1, 25, 26, expect.stringMatching(/^line 1, column 25: /))]);
  });

  it('are refused where they do not compile: in reviews', async () => {
    const answer = await admin('POST', '/api/v1/access_review', {
      displayName: 'Wrong',
      scopeV2: { celExpression: { expression: 'subject.foo == 1' }, accountCelExpression: { expression: 'subject.department == ""' } },
    });
    expect(violatedFields(answer)).toEqual(['scopeV2.celExpression.expression', 'scopeV2.accountCelExpression.expression']);
    expect(answer.body.message).toContain('line 1, column 9: User has no field foo');
  });

  it('are refused where they do not compile: in policies', async () => {
    const expressions = ['appOwners', 'subject.id'];
    const answer = await admin('POST', '/api/v1/policies', {
      displayName: 'Wrong',
      policyType: 'POLICY_TYPE_CERTIFY',
      policySteps: {
        certify: { steps: [{ approval: { expression: { expressions } } }, { wait: { condition: { condition: 'appOwners' } } }] },
      },
      rules: [{ condition: 'task.displayName == ""', stepKey: 'certify' }],
    });
    expect(violatedFields(answer).toSorted()).toEqual([
      'policySteps.certify.steps[0].approval.expression.expressions[1]',
      'policySteps.certify.steps[1].wait.condition.condition',
      'rules[0].condition',
    ]);
  });

  it('are checked for administrators alone', async () => {
    const person = await server.makePerson('basic@example.com');
    const body = { text: 'true', environment: 'EXPRESSION_ENVIRONMENT_WAIT' };
    expect((await request(server, person, 'POST', '/api/v1/cel/validate', body)).status).toBe(403);
    expect((await request(server, person, 'POST', '/api/v1/policies/validate/cel', { text: 'true' })).status).toBe(403);
  });
});
