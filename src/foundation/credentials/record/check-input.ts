/** Checks of the members of a credential: name, lifespan, addresses, roles. All that is wrong is reported at once. */
import type { Duration } from '@bufbuild/protobuf/wkt';
import type { FieldViolation } from '../../../errors.ts';
import { refuseInvalid } from '../../../errors.ts';
import { findRole } from '../../directory/index.ts';
import { cidrProblem, maxCidrBlocks } from './cidr.ts';

/** The members a credential's owner chooses. */
export interface CredentialInput {
  readonly displayName: string;
  readonly allowSourceCidr: readonly string[];
  readonly scopedRoles: readonly string[];
}

/** Names of the members and lifespan of the credential: those of people and those of service principals differ in both. */
export interface InputRules {
  readonly cidrField: string;
  readonly lifespan: 'fixed' | 'any';
  /** Message about a role that is not among those it may have. */
  readonly roleProblem: string;
}

const notHeld = 'the owner of the credential does not hold this role';
const personal: InputRules = { cidrField: 'allowSourceCidr', lifespan: 'fixed', roleProblem: notHeld };

/** A credential that is made for another person has roles that only read, or Basic User. */
export const issuedRules: InputRules = {
  ...personal,
  roleProblem:
    'must be Basic User, Read-Only Administrator or Read-Only to System Logs, and a role that the person holds: grant it first (PUT /api/v1/users/{user_id}/roles)',
};

/** A service principal's credential may live as long as is wanted. */
export const principalRules: InputRules = { cidrField: 'allowSourceCidrs', lifespan: 'any', roleProblem: notHeld };

/** 100 years: longer than that is for ever, which is said by leaving it out. */
const maxLifespanSeconds = 3_155_760_000;
/** 30 days and 90 days; the third choice is none, for ever. */
const lifespansInSeconds: readonly number[] = [2_592_000, 7_776_000];
const maxNameLength = 256;

/** Throws INVALID_ARGUMENT with every violation; `ownerRoleIds` are all the owner holds, Basic User among them. */
export function checkInput(
  input: CredentialInput,
  ownerRoleIds: readonly string[],
  expiresInSeconds?: number,
  rules: InputRules = personal,
): void {
  const violations: FieldViolation[] = [];
  const add = (field: string, description: string) => violations.push({ field, description });
  const name = input.displayName.trim();
  if (name === '') {
    add('displayName', 'must not be empty');
  } else if (name.length > maxNameLength) {
    add('displayName', `must not be longer than ${maxNameLength} characters`);
  }
  if (expiresInSeconds !== undefined) {
    if (rules.lifespan === 'fixed' && !lifespansInSeconds.includes(expiresInSeconds)) {
      add('expires', 'must be 2592000s (30 days) or 7776000s (90 days), or absent for a credential that never expires');
    }
    if (rules.lifespan === 'any' && !(expiresInSeconds > 0 && expiresInSeconds <= maxLifespanSeconds)) {
      add('expires', 'must be more than 0s and at most 3155760000s (100 years), or absent for a credential that never expires');
    }
  }
  violations.push(...findCidrProblems(rules.cidrField, input.allowSourceCidr));
  input.scopedRoles.slice(0, 100).forEach((id, index) => {
    if (findRole(id) === undefined) {
      add(`scopedRoles[${index}]`, 'no role has this id');
    } else if (!ownerRoleIds.includes(id)) {
      add(`scopedRoles[${index}]`, rules.roleProblem);
    }
  });
  if (input.scopedRoles.length > 100) {
    add('scopedRoles', 'must not have more than 100 members');
  }
  refuseInvalid(violations);
}

/** Finds faults in a list of CIDR blocks: there are too many, or those that cannot be read. */
export function findCidrProblems(field: string, blocks: readonly string[]): FieldViolation[] {
  const tooMany = { field, description: `must not have more than ${maxCidrBlocks} blocks` };
  const unreadable = blocks.slice(0, maxCidrBlocks).flatMap((block, index) => {
    const problem = cidrProblem(block);
    return problem === undefined ? [] : [{ field: `${field}[${index}]`, description: problem }];
  });
  return blocks.length > maxCidrBlocks ? [tooMany, ...unreadable] : unreadable;
}

/** Whole seconds, or a fraction that no fixed lifespan equals; undefined where none is given. */
export function durationSeconds(duration: Duration | undefined): number | undefined {
  return duration === undefined ? undefined : Number(duration.seconds) + duration.nanos / 1e9;
}
