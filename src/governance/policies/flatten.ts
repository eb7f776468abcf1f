/**
 * Flattening policies: what their rules and the policies they refer to come to is a list of turns for each, the first whose conditions all hold
 * leads to a route, and a route is a chain of steps. Pure, and the same documents always give the same numbers.
 */
import type { PolicyJson, RuleJson } from '../../gen/c1/api/policy/v1/policy_pb.js';
import { baselineKey, stepsUnder } from './document.ts';
import { type Reads, stepReads } from './step-reads.ts';
import { escalationPolicyOf, maxPath } from './references.ts';

/** A way through steps. */
export interface Route {
  /** The policy that the steps stand in, and under which key. */
  readonly policyId: string;
  readonly stepKey: string;
  /** The document of that policy with these steps as its only ones. */
  readonly document: PolicyJson;
  /** Data its first step reads to find the people it asks. */
  readonly reads: Reads;
}

/** Route of a policy when all these conditions hold, and none of those of the turns before did. */
export interface Turn {
  /** Numbers of conditions. */
  readonly conditions: readonly number[];
  /** The rules that these are the conditions of, each as "policy id/index". */
  readonly rules: readonly string[];
  /** The number of a route. */
  readonly route: number;
  /** The policies on the way, from the one that is asked for to that of the route. */
  readonly policies: readonly string[];
}

/** Everything that some policies come to. */
export interface Plans {
  readonly routes: readonly Route[];
  /** The text of each condition, by its number. */
  readonly conditions: readonly string[];
  /** The turns of each policy that was asked for or that an escalation names; the last one has no conditions. */
  readonly turns: ReadonlyMap<string, readonly Turn[]>;
  /** The policies that were asked for, in order; further ones are led to by escalations alone. */
  readonly rootIds: readonly string[];
  /** Reasons policies lead nowhere, by id. */
  readonly problems: readonly { readonly policyId: string; readonly description: string }[];
}

function numberIn<T>(list: T[], value: T, isSame: (one: T) => boolean): number {
  const known = list.findIndex(isSame);
  return known < 0 ? list.push(value) - 1 : known;
}

class Flattening {
  readonly routes: Route[] = [];
  readonly conditions: string[] = [];
  readonly problems: { policyId: string; description: string }[] = [];
  readonly documents: ReadonlyMap<string, PolicyJson>;

  constructor(documents: ReadonlyMap<string, PolicyJson>) {
    this.documents = documents;
  }

  /** The turns of a policy that is reached along `path`; none where it leads nowhere. */
  turnsOf(policyId: string, path: readonly string[]): Turn[] {
    const document = this.documents.get(policyId);
    const reached = [...path, policyId];
    if (document === undefined) {
      return this.refuse(path.at(-1) ?? policyId, `there is no policy ${policyId}`);
    }
    if (path.includes(policyId) || reached.length > maxPath) {
      return this.refuse(policyId, `its references form a circle, or a path of more than ${maxPath} policies`);
    }
    const turns = (document.rules ?? []).flatMap((rule, index) => {
      const { condition = '' } = rule;
      const number = numberIn(this.conditions, condition, (one) => one === condition);
      return this.outcomeOf(policyId, document, rule, reached).map((turn) => ({
        ...turn,
        conditions: [number, ...turn.conditions],
        rules: [`${policyId}/${index}`, ...turn.rules],
      }));
    });
    return [...turns, ...this.baselineOf(policyId, document, reached)].map((turn) => ({ ...turn, policies: [policyId, ...turn.policies] }));
  }

  private outcomeOf(policyId: string, document: PolicyJson, rule: RuleJson, path: readonly string[]): Turn[] {
    const { policyId: other = '', stepKey = '', policyKey = '' } = rule;
    return other !== '' ? this.turnsOf(other, path) : this.routeOf(policyId, document, stepKey || policyKey);
  }

  private baselineOf(policyId: string, document: PolicyJson, path: readonly string[]): Turn[] {
    const { baselinePolicyId: other = '' } = document;
    const key = baselineKey(document);
    if (other !== '') {
      return this.turnsOf(other, path);
    }
    return key === undefined
      ? this.refuse(policyId, 'it has no certify steps and builds on no other policy, so it has no reviewers')
      : this.routeOf(policyId, document, key);
  }

  private routeOf(policyId: string, document: PolicyJson, stepKey: string): Turn[] {
    const steps = stepsUnder(document, stepKey);
    if (steps.length === 0) {
      return this.refuse(policyId, `policySteps has no steps under ${JSON.stringify(stepKey)}`);
    }
    const { rules: _rules, baselinePolicyId: _baseline, ...rest } = document;
    const route = {
      policyId,
      stepKey,
      reads: stepReads(steps[0]),
      document: { ...rest, id: policyId, policySteps: { certify: { steps } } },
    };
    const number = numberIn(this.routes, route, (one) => one.policyId === policyId && one.stepKey === stepKey);
    return [{ conditions: [], rules: [], route: number, policies: [] }];
  }

  private refuse(policyId: string, description: string): Turn[] {
    if (!this.problems.some((one) => one.policyId === policyId && one.description === description)) {
      this.problems.push({ policyId, description });
    }
    return [];
  }
}

/** Flattens the policies with these ids, and those that escalations on their routes name. `documents` holds all that can be reached. */
export function flattenPolicies(documents: ReadonlyMap<string, PolicyJson>, ids: Iterable<string>): Plans {
  const flattening = new Flattening(documents);
  const rootIds = [...new Set(ids)].sort();
  const turns = new Map<string, readonly Turn[]>();
  const waiting = [...rootIds];
  let looked = 0;
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    if (!turns.has(id)) {
      turns.set(id, flattening.turnsOf(id, []));
    }
    for (; looked < flattening.routes.length; looked++) {
      const steps = stepsUnder(flattening.routes[looked]?.document ?? {}, 'certify');
      waiting.push(...steps.map(escalationPolicyOf).filter((other) => other !== ''));
    }
  }
  const { routes, conditions, problems } = flattening;
  return { routes, conditions, turns, rootIds, problems };
}
