/** References between policies: what is refused of them, that two changes cannot close a circle, and what they flatten to. */
import type { JsonObject } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import { createPolicy } from './create.ts';
import { deletePolicy } from './delete.ts';
import { flattenPolicies } from './flatten.ts';
import { getPolicy } from './read.ts';
import { updatePolicy } from './update.ts';

const manager: JsonObject = { steps: [{ approval: { manager: {} } }] };
const owners: JsonObject = { steps: [{ approval: { appOwners: {} } }] };
const certify: JsonObject = { displayName: 'P', policyType: 'POLICY_TYPE_CERTIFY' };

describe('references', () => {
  let test: TwoTenants;
  beforeAll(async () => {
    test = await useTwoTenants();
  });
  afterAll(() => test.close());

  const make = async (sent: JsonObject): Promise<string> => (await createPolicy(test.ours.admin, { ...certify, ...sent })).id;
  const plain = () => make({ policySteps: { certify: manager } });
  const on = (id: string) => make({ baselinePolicyId: id });
  const violationsOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => [],
      (error: { violations?: { field: string; description: string }[] }) => error.violations,
    );

  it('refuses what is contradictory, every violation at once', async () => {
    const id = await plain();
    const grant = await make({ policyType: 'POLICY_TYPE_GRANT', policySteps: { grant: manager } });
    const wrong = await violationsOf(
      make({
        baselinePolicyId: grant,
        policySteps: {
          certify: {
            steps: [
              { approval: { manager: {}, escalationEnabled: true, escalation: { expiration: '3600', replacePolicy: { policyId: 'x' } } } },
            ],
          },
          high: owners,
        },
        rules: [
          { condition: 'true', policyKey: 'high', policyId: id },
          { condition: 'true' },
          { condition: ' ', stepKey: 'high' },
          { condition: 'true', stepKey: 'high', policyKey: 'certify' },
          { condition: 'true', policyKey: 'high' },
          { condition: 'true', policyId: 'nobody' },
        ],
      }),
    );
    expect(wrong).toEqual([
      { field: 'baselinePolicyId', description: expect.stringContaining('give one of them') },
      { field: 'rules[0]', description: expect.stringContaining('two outcomes') },
      { field: 'rules[1]', description: expect.stringContaining('no outcome') },
      { field: 'rules[2].condition', description: 'must not be empty' },
      { field: 'rules[3]', description: expect.stringContaining('name different steps') },
      { field: 'baselinePolicyId', description: 'this policy is of type POLICY_TYPE_GRANT; it must be of the same type' },
      {
        field: 'policySteps.certify.steps[0].approval.escalation.replacePolicy.policyId',
        description: 'there is no policy with this id',
      },
      { field: 'rules[5].policyId', description: 'there is no policy with this id' },
    ]);
  });

  it('takes 16 rules and no more', async () => {
    const rules = Array.from({ length: 17 }, () => ({ condition: 'true', stepKey: 'certify' }));
    await make({ policySteps: { certify: manager }, rules: rules.slice(1) });
    expect(await violationsOf(make({ policySteps: { certify: manager }, rules }))).toMatchObject([{ field: 'rules' }]);
  });

  it('takes paths of five policies, and refuses longer ones wherever they grow', async () => {
    const chain = [await plain()];
    for (let length = 2; length <= 5; length++) {
      chain.unshift(await on(chain[0] as string));
    }
    expect(await violationsOf(on(chain[0] as string))).toMatchObject([
      { field: 'baselinePolicyId', description: expect.stringContaining('6') },
    ]);
    const change = { policySteps: {}, baselinePolicyId: await plain() };
    expect(await violationsOf(updatePolicy(test.ours.admin, chain[4] as string, change, undefined))).toMatchObject([
      { field: 'policy.baselinePolicyId' },
    ]);
  });

  it('refuses circles, one with itself too, and lets two changes at once close none', async () => {
    const [first, second] = [await plain(), await plain()];
    const rules = (id: string) => ({ rules: [{ condition: 'true', policyId: id }] });
    expect(await violationsOf(updatePolicy(test.ours.admin, first, rules(first), undefined))).toMatchObject([
      { field: 'policy.rules[0].policyId' },
    ]);
    const results = await Promise.allSettled([
      updatePolicy(test.ours.admin, first, rules(second), undefined),
      updatePolicy(test.ours.admin, second, rules(first), undefined),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('knows nothing of policies of another tenant', async () => {
    const id = await plain();
    const theirs = createPolicy(test.theirs.admin, { ...certify, baselinePolicyId: id });
    expect(await violationsOf(theirs)).toMatchObject([{ field: 'baselinePolicyId', description: 'there is no policy with this id' }]);
  });

  it('keeps what is referred to from being deleted, and lets it go with the reference', async () => {
    const id = await plain();
    const referring = await make({ displayName: 'Refers', baselinePolicyId: id });
    await expect(deletePolicy(test.ours.admin, id)).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringContaining(`"Refers" (${referring})`),
    });
    await updatePolicy(test.ours.admin, referring, { policySteps: { certify: owners }, baselinePolicyId: '' }, undefined);
    await deletePolicy(test.ours.admin, id);
    await expect(getPolicy(test.ours.admin, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('flattening', () => {
  const documents = new Map<string, JsonObject>([
    [
      'a',
      {
        rules: [
          { condition: 'x', stepKey: 'high' },
          { condition: 'y', policyId: 'b' },
        ],
        policySteps: { certify: manager, high: owners },
      },
    ],
    ['b', { rules: [{ condition: 'x', stepKey: 'low' }], baselinePolicyId: 'c', policySteps: { low: owners } }],
    ['c', { policySteps: { certify: manager } }],
    ['loop', { baselinePolicyId: 'loop' }],
    ['empty', { policySteps: { high: owners, low: owners } }],
  ]);

  it('turns rules and references into turns, the first of which wins, and numbers routes and conditions', () => {
    const plans = flattenPolicies(documents, ['a']);
    expect(plans.routes.map(({ policyId, stepKey }) => `${policyId}/${stepKey}`)).toEqual(['a/high', 'b/low', 'c/certify', 'a/certify']);
    expect(plans.conditions).toEqual(['x', 'y']);
    expect(plans.turns.get('a')).toEqual([
      { conditions: [0], rules: ['a/0'], route: 0, policies: ['a'] },
      { conditions: [1, 0], rules: ['a/1', 'b/0'], route: 1, policies: ['a', 'b'] },
      { conditions: [1], rules: ['a/1'], route: 2, policies: ['a', 'b', 'c'] },
      { conditions: [], rules: [], route: 3, policies: ['a'] },
    ]);
    expect(plans.problems).toEqual([]);
    expect(plans.routes[0]?.document).toEqual({ id: 'a', policySteps: { certify: owners } });
  });

  it('follows escalations to policies of their own', () => {
    const approval = { manager: {}, escalationEnabled: true, escalation: { replacePolicy: { policyId: 'c' } } };
    const plans = flattenPolicies(new Map([...documents, ['e', { policySteps: { certify: { steps: [{ approval }] } } }]]), ['e']);
    expect(plans.rootIds).toEqual(['e']);
    expect(plans.turns.get('c')).toEqual([{ conditions: [], rules: [], route: 1, policies: ['c'] }]);
  });

  it.each([
    ['loop', 'its references form a circle'],
    ['empty', 'it has no certify steps'],
    ['unknown', 'there is no policy unknown'],
  ])('says why %s leads nowhere', (id, why) => {
    expect(flattenPolicies(documents, [id]).problems).toEqual([{ policyId: id, description: expect.stringContaining(why) }]);
  });
});
