/**
 * Meaning of a directory's merge configuration: pairs of expressions that say by what an account and a person are the same. A closed set is
 * understood; the language they come from is not evaluated.
 */
import { type FieldViolation, refuseInvalid } from '../../errors.ts';
import type { MatchRule } from './store-match.ts';

/** One pair, as the contract has it. */
export interface MatchCase {
  readonly appUserKeyCel: string;
  readonly userKeyCel: string;
}

/** Rule of each member, however it is spelt. */
const ruleByMember: ReadonlyMap<string, MatchRule> = new Map([
  ['email', 'EMAIL'],
  ['emails', 'EMAIL'],
  ['employeeid', 'EMPLOYEE_ID'],
  ['employeeids', 'EMPLOYEE_ID'],
  ['username', 'USERNAME'],
  ['usernames', 'USERNAME'],
]);

const subjects = { appUserKeyCel: ['appuser'], userKeyCel: ['user'] } as const;
const names = { appUserKeyCel: 'appUser', userKeyCel: 'user' } as const;
const members = ['email', 'employeeIds', 'usernames'];

/**
 * The order in which accounts are matched that these pairs stand for; empty for none. INVALID_ARGUMENT, all at once, for an expression that is
 * not understood, for a pair that compares two different things, and for the same pair twice. `field` is the list's path in the request.
 */
export function readMatchCases(cases: readonly MatchCase[], field: string): MatchRule[] {
  const violations: FieldViolation[] = [];
  const order: MatchRule[] = [];
  cases.forEach((one, index) => {
    const place = `${field}[${index}]`;
    const [ofAccount, ofPerson] = (['appUserKeyCel', 'userKeyCel'] as const).map((side) => {
      const rule = ruleOf(one[side], subjects[side]);
      if (rule === undefined) {
        violations.push({ field: `${place}.${side}`, description: describeUnknown(one[side], names[side]) });
      }
      return rule;
    });
    if (ofAccount === undefined || ofPerson === undefined) {
      return;
    }
    if (ofAccount !== ofPerson) {
      const both = `${JSON.stringify(one.appUserKeyCel)} and ${JSON.stringify(one.userKeyCel)}`;
      violations.push({ field: place, description: `compares different things, ${both}; both sides must be the same member` });
    } else if (order.includes(ofAccount)) {
      violations.push({ field: place, description: 'repeats an earlier one; each member is compared once' });
    } else {
      order.push(ofAccount);
    }
  });
  refuseInvalid(violations);
  return order;
}

/** Returns the rule of an expression such as `appUser.email`, `app_user.employee_ids[0]` or `user.usernames`. */
function ruleOf(expression: string, expected: readonly string[]): MatchRule | undefined {
  const [, subject = '', member = ''] = /^\s*(\w+)\s*\.\s*(\w+)(?:\[0\])?\s*$/.exec(expression) ?? [];
  const plain = (name: string): string => name.replaceAll('_', '').toLowerCase();
  return expected.includes(plain(subject)) ? ruleByMember.get(plain(member)) : undefined;
}

function describeUnknown(expression: string, subject: string): string {
  const understood = members.map((member) => `${subject}.${member}`).join(', ');
  return `the expression ${JSON.stringify(expression.slice(0, 200))} is not supported; supported are ${understood}`;
}
