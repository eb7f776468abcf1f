/**
 * Testing a policy: what it would do with one item as things are now. It flattens the policy, evaluates its conditions and finds people as a
 * review does, and keeps nothing.
 */
import type { PolicyJson } from '../../../gen/c1/api/policy/v1/policy_pb.js';
import { AppError, type FieldViolation, invalidFields } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { objectValue, type VariablesOf } from '../../../lib/cel/index.ts';
import { Failure } from '../../../lib/cel/values.ts';
import {
  accountValue,
  certifySteps,
  certifyType,
  type EntitlementFields,
  flattenPolicies,
  getPolicy,
  listPlanProblems,
  listReachedDocuments,
  personValue,
  type Plans,
  readCondition,
  type ApproverKind,
  type RouteStep,
  type StepKind,
  stepReads,
} from '../../policies/index.ts';
import { peopleOfResult } from './approver-expressions.ts';
import { resolveRules } from './assign.ts';
import { findTurn } from './choose-route.ts';
import { evaluateText, listConflicts, taskValue } from './evaluate.ts';
import { readStepAt, type ReviewerReason } from '../task/index.ts';
import { findPeopleByLevel } from './store-assign.ts';
import { listEligibleUsers } from './store-eligible.ts';
import { findPersonFacts, listGrantTimes, listOwnersOfApps } from './store-facts.ts';
import { findLiveEntitlement, hasApp, findTestedAccount, listTestedPeople } from './store-policy-test.ts';

/** The item that a policy is tested with: an account or a person, the other empty. */
export interface TestedItem {
  readonly appId: string;
  readonly appEntitlementId: string;
  readonly appUserId: string;
  readonly userId: string;
}

interface Facts {
  readonly entitlement: EntitlementFields;
  /** Empty where the person has no account in the app. */
  readonly accountId: string;
  /** Empty where nobody owns the account. */
  readonly personId: string;
  readonly variables: VariablesOf<'POLICY_CONDITION'>;
}

async function findFacts(context: Context, item: TestedItem): Promise<Facts> {
  const wrong: FieldViolation[] = [];
  const refuse = (field: keyof TestedItem, description: string): void => {
    wrong.push({ field, description });
  };
  if (!(await hasApp(context, item.appId))) {
    refuse('appId', 'there is no app with this id');
  }
  const entitlement = await findLiveEntitlement(context, item.appId, item.appEntitlementId);
  if (entitlement === undefined) {
    refuse('appEntitlementId', 'this app has no entitlement with this id');
  }
  const account = await findTestedAccount(context, item);
  if ((item.appUserId === '') === (item.userId === '')) {
    refuse('userId', 'give either an account (appUserId) or a person (userId)');
  } else if (account === undefined && item.userId === '') {
    refuse('appUserId', 'this app has no account with this id');
  }
  const personId = item.userId === '' ? (account?.userId ?? '') : item.userId;
  const person = await findPersonFacts(context, { userId: personId });
  if (item.userId !== '' && person === undefined) {
    refuse('userId', 'there is no person with this id');
  }
  if (wrong.length > 0 || entitlement === undefined) {
    throw invalidFields(wrong);
  }
  const place = { appId: item.appId, entitlementId: entitlement.id, accountId: account?.id ?? '' };
  const [times] = (await listGrantTimes(context, [place])).values();
  const [monitorIds = []] = (await listConflicts(context, [place])).values();
  const variables = {
    subject: person === undefined ? null : personValue(person),
    account: account === undefined ? null : accountValue(account),
    entitlement: objectValue('AppEntitlement', { ...entitlement }),
    task: taskValue({ userId: personId, createdById: context.actor.userId, createdAt: context.now }, times, monitorIds),
  };
  return { entitlement, accountId: account?.id ?? '', personId, variables };
}

/** A rule that was tried. */
export interface TriedRule {
  readonly policyId: string;
  readonly number: number;
  readonly condition: string;
  readonly matches: boolean;
  readonly error: string;
}

/** Reviewers of a step, and why. */
export interface TestedStep {
  /** Empty where there is no such step. */
  readonly kind: StepKind | 'empty' | '';
  readonly approver: ApproverKind | '';
  readonly reason: ReviewerReason | '';
  readonly people: readonly { readonly userId: string; readonly displayName: string; readonly email: string }[];
  readonly passed: readonly ReviewerReason[];
  readonly requireDistinctApprovers: boolean;
}

async function tryRules(context: Context, plans: Plans, policyId: string, variables: VariablesOf<'POLICY_CONDITION'>) {
  const rules = new Map<string, TriedRule>();
  const turn = await findTurn(plans.turns.get(policyId) ?? [], async (number, rule) => {
    const condition = plans.conditions[number] ?? '';
    const result = await evaluateText(context, condition, 'POLICY_CONDITION', variables);
    const [ruleOf = '', index = ''] = rule.split('/');
    const error = result instanceof Failure ? result.message : '';
    rules.set(rule, { policyId: ruleOf, number: Number(index) + 1, condition, matches: result === true, error });
    return result === true;
  });
  return { turn, rules: [...rules.values()] };
}

function objectOf(step: RouteStep | undefined, { id, appResourceId }: EntitlementFields): string {
  return { ENTITLEMENT: id, RESOURCE: appResourceId, PERSON: '', ACCOUNT: '', ITEM: '', NOTHING: '' }[stepReads(step)];
}

/** People of a step's expressions: the first with 1 to 128 people. */
async function findTested(context: Context, expressions: readonly string[], { entitlement, variables }: Facts): Promise<string[]> {
  const owners = expressions.length === 0 ? undefined : (await listOwnersOfApps(context, [entitlement.appId])).get(entitlement.appId);
  for (const text of expressions) {
    const all: VariablesOf<'POLICY_APPROVER'> = { ...variables, appOwners: (owners ?? []).map(personValue) };
    const result = await evaluateText(context, text, 'POLICY_APPROVER', all);
    const ids = peopleOfResult(result);
    if (ids.length > 0) {
      return listEligibleUsers(context, ids);
    }
  }
  return [];
}

async function testStep(context: Context, document: PolicyJson, index: number, facts: Facts): Promise<TestedStep> {
  const { entitlement, personId } = facts;
  const step = readStepAt(document, index);
  const nobody = { approver: '', reason: '', people: [], passed: [], requireDistinctApprovers: false } as const;
  if (step?.kind !== 'approval') {
    return { ...nobody, kind: step?.kind === 'unsupported' ? step.name : (step?.kind ?? '') };
  }
  const rules = await resolveRules(context, '', document, index);
  const objectId = objectOf(certifySteps(document)[index], entitlement);
  const found = await findTested(
    context,
    rules.flatMap(({ expressions = [] }) => expressions),
    facts,
  );
  const levels = await findPeopleByLevel(context, { appId: entitlement.appId, objectId, userId: personId, besides: [], found }, rules);
  // Who owns the review is not known without one: what they come before is not looked at.
  const level = rules.findIndex(({ reason }, at) => reason === 'REVIEW_OWNERS' || (levels[at] ?? []).length > 0);
  return {
    kind: 'approval',
    approver: step.approverType,
    reason: rules[level]?.reason ?? '',
    people: await listTestedPeople(context, levels[level] ?? []),
    passed: rules.slice(0, level).map(({ reason }) => reason),
    requireDistinctApprovers: step.requireDistinctApprovers,
  };
}

/** Tries out a policy on an item now. NOT_FOUND without such a policy; INVALID_ARGUMENT naming each id of nothing. */
export async function testPolicy(context: Context, policyId: string, item: TestedItem) {
  const policy = await getPolicy(context, policyId);
  const facts = await findFacts(context, item);
  if (policy.policyType !== certifyType) {
    throw new AppError('FAILED_PRECONDITION', `This policy is of type ${policy.policyType}, and reviews need ${certifyType}.`);
  }
  const plans = flattenPolicies(await listReachedDocuments(context, policyId), [policyId]);
  const problems = listPlanProblems(plans);
  for (const condition of plans.conditions) {
    const read = readCondition(condition);
    problems.push(...('problem' in read ? [read.problem] : []));
  }
  const { turn, rules } = await tryRules(context, plans, policyId, facts.variables);
  const route = turn === undefined ? undefined : plans.routes[turn.route];
  const steps: TestedStep[] = [];
  for (const index of certifySteps(route?.document ?? {}).keys()) {
    steps.push(await testStep(context, route?.document ?? {}, index, facts));
  }
  return {
    rules,
    policyIds: turn?.policies ?? [],
    stepKey: route?.stepKey ?? '',
    isBaseline: turn !== undefined && turn.rules.at(-1)?.startsWith(`${route?.policyId}/`) !== true,
    steps,
    problems,
    appUserId: facts.accountId,
    userId: facts.personId,
  };
}
