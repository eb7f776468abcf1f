/**
 * Whom a pushed user stands for: the person with the address, or one made for it, who then says what the provider says.
 */
import type { Scope } from '../../scope.ts';
import { newId } from '../../wire/ids.ts';
import { countActiveHolders, findUser, findUserByEmail, ROLES, type UserRow } from '../directory/index.ts';
import { listPersonKeys, matchPerson, type PersonRematch } from '../identity/index.ts';
import { ScimError } from './errors.ts';
import type { Facts } from './facts.ts';
import type { ScimSource } from './source.ts';
import {
  countAbove,
  findExternalId,
  findPersonOfUser,
  insertPerson,
  type PersonContent,
  updateDisabled,
  updatePerson,
  updateReplaced,
} from './store-people.ts';
import { countOtherActiveUsers } from './store-resources.ts';

/** A pushed user: who they stand for so far, and what is said of them before and now. */
export interface PushedPerson {
  /** The SCIM id. */
  readonly id: string;
  /** The person of this user, or of a deleted one of the same name; null for nobody. */
  readonly knownId: string | null;
  readonly isNew: boolean;
  readonly before: Facts | undefined;
  readonly facts: Facts;
}

/** What became of the person. */
export interface MergedPerson {
  readonly id: string;
  readonly email: string;
  readonly isNew: boolean;
  readonly changed: boolean;
  /** Stays enabled against what the provider says: nobody else could administer the tenant. */
  readonly isKept: boolean;
  /** What is said of the manager that could not be followed: somebody unknown, or a circle; '' where nothing is. */
  readonly managerProblem: '' | 'unknown' | 'circle';
  /** The accounts, of whatever app, that are theirs now, or no longer; undefined where nothing changed by which accounts are matched. */
  readonly rematch: PersonRematch | undefined;
}

/**
 * Makes the person say what the provider says, and matches the accounts again that this could concern. 409 where the address is somebody
 * else's. The lock of roles is held, and no revision is taken yet.
 */
export async function mergePerson(scope: Scope, source: ScimSource, pushed: PushedPerson): Promise<MergedPerson> {
  const { facts } = pushed;
  const found = await findPerson(scope, pushed);
  const id = found?.id ?? newId(scope.now);
  const manager = await findManager(scope, source, pushed, id, found);
  const isKept = !facts.isActive && (await isLastAdministrator(scope, found));
  const staysActive = facts.isActive || isKept || (await countOtherActiveUsers(scope, id, pushed.id)) > 0;
  const content = await contentOf(scope, source, pushed, found, manager.id, staysActive);
  const replacedId = found === undefined || pushed.isNew || pushed.knownId === id ? null : pushed.knownId;
  const concerned = replacedId === null ? [id] : [id, replacedId];
  const isFound = replacedId === null && !isFoundOtherwise(found, content);
  const keysBefore = isFound ? [] : await listPersonKeys(scope, concerned);
  const changed = found === undefined || (await updatePerson(scope, id, content));
  if (found === undefined) {
    await insertPerson(scope, id, content);
  }
  if (replacedId !== null) {
    await replacePerson(scope, replacedId, pushed.id);
  }
  const rematch = isFound ? undefined : await matchPerson(scope, concerned, keysBefore, 'SCIM');
  return { id, email: content.email, isNew: found === undefined, changed, isKept, managerProblem: manager.problem, rematch };
}

/** Whether accounts are matched to them by something they did not have before. */
function isFoundOtherwise(found: UserRow | undefined, content: PersonContent): boolean {
  return (
    found === undefined ||
    found.status === 'DELETED' ||
    found.email !== content.email ||
    found.username !== content.username ||
    found.employeeId !== content.employeeId
  );
}

/** A person who was made for want of an address, when it is known who they are: disabled, and found by no account any more. */
async function replacePerson(scope: Scope, id: string, scimId: string): Promise<void> {
  const isNeeded = (await countOtherActiveUsers(scope, id, scimId)) > 0 || (await isLastAdministrator(scope, await findUser(scope, id)));
  if (!isNeeded) {
    await updateReplaced(scope, id);
  }
}

async function findPerson(scope: Scope, { knownId, isNew, facts }: PushedPerson): Promise<UserRow | undefined> {
  const known = knownId === null ? undefined : await findUser(scope, knownId);
  const byAddress = facts.email === '' ? undefined : await findUserByEmail(scope, facts.email);
  if (known === undefined || byAddress === undefined || byAddress.id === known.id) {
    return known ?? byAddress;
  }
  if (!isNew && known.email !== '') {
    throw new ScimError(409, 'uniqueness', `Another person has the address ${JSON.stringify(facts.email)}.`);
  }
  return byAddress;
}

async function contentOf(
  scope: Scope,
  source: ScimSource,
  { before, facts }: PushedPerson,
  found: UserRow | undefined,
  managerId: string | null,
  isActive: boolean,
): Promise<PersonContent> {
  // What the provider does not say, and did not say before, is left as others said it.
  const pick = (name: 'jobTitle' | 'employmentType' | 'department' | 'employeeId', current: string | undefined): string =>
    facts[name] !== '' || (before?.[name] ?? '') !== '' ? facts[name] : (current ?? '');
  const externalId = found === undefined ? '' : await findExternalId(scope, found.id);
  return {
    email: facts.email || (found?.email ?? ''),
    displayName: facts.displayName,
    status: isActive ? 'ENABLED' : 'DISABLED',
    username: facts.userName,
    employeeId: pick('employeeId', found?.employeeId),
    externalId: facts.externalId !== '' || (before?.externalId ?? '') !== '' ? facts.externalId : externalId,
    employmentType: pick('employmentType', found?.employmentType),
    department: pick('department', found?.department),
    jobTitle: pick('jobTitle', found?.jobTitle),
    managerId,
    source: source.connectorId,
  };
}

async function findManager(
  scope: Scope,
  source: ScimSource,
  { before, facts }: PushedPerson,
  personId: string,
  found: UserRow | undefined,
): Promise<{ id: string | null; problem: MergedPerson['managerProblem'] }> {
  if (facts.managerId === '') {
    return { id: (before?.managerId ?? '') === '' ? (found?.managerId ?? null) : null, problem: '' };
  }
  const id = await findPersonOfUser(scope, source.connectorId, facts.managerId);
  if (id === undefined) {
    return { id: null, problem: 'unknown' };
  }
  return (await countAbove(scope, id, personId)) > 0 ? { id: null, problem: 'circle' } : { id, problem: '' };
}

/** Disables the person of a user who goes, unless another user stands for them or nobody else could administer the tenant. */
export async function disablePerson(
  scope: Scope,
  userId: string,
  scimId: string,
): Promise<{ readonly changed: boolean; readonly isKept: boolean }> {
  if ((await countOtherActiveUsers(scope, userId, scimId)) > 0) {
    return { changed: false, isKept: false };
  }
  if (await isLastAdministrator(scope, await findUser(scope, userId))) {
    return { changed: false, isKept: true };
  }
  return { changed: await updateDisabled(scope, userId), isKept: false };
}

async function isLastAdministrator(scope: Scope, person: UserRow | undefined): Promise<boolean> {
  const roleId = ROLES.SUPER_ADMINISTRATOR.id;
  return (
    person?.status === 'ENABLED' &&
    person.userType === 'HUMAN' &&
    person.roleIds.includes(roleId) &&
    (await countActiveHolders(scope, roleId, person.id)) === 0
  );
}
