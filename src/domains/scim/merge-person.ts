/**
 * Whom a pushed user stands for: the person with the address, or one made for it, who then says what the provider says.
 */
import type { Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import {
  countActiveHolders,
  findUser,
  findUserByEmail,
  insertPeople,
  ROLES,
  updateDisabledPeople,
  updatePeople,
  updateReplacedPerson,
  type UserRow,
} from '../directory/index.ts';
import { listPersonKeys, matchPerson, type PersonRematch } from '../identity/index.ts';
import { ScimError } from './errors.ts';
import type { Facts } from './facts.ts';
import type { ScimSource } from './source.ts';
import { countAbove, findExternalId, findPersonOfUser, getIsPerson, getPersonRow, type PersonContent } from './store-people.ts';
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
export async function mergePerson(context: Context, source: ScimSource, pushed: PushedPerson): Promise<MergedPerson> {
  const { facts } = pushed;
  const found = await findPerson(context, pushed);
  const id = found?.id ?? newId(context.now);
  const manager = await findManager(context, source, pushed, id, found);
  const isKept = !facts.isActive && (await isLastAdministrator(context, found));
  const staysActive = facts.isActive || isKept || (await countOtherActiveUsers(context, id, pushed.id)) > 0;
  const content = await contentOf(context, source, pushed, found, manager.id, staysActive);
  const replacedId = found === undefined || pushed.isNew || pushed.knownId === id ? null : pushed.knownId;
  const concerned = replacedId === null ? [id] : [id, replacedId];
  const isFound = replacedId === null && !isFoundOtherwise(found, content);
  const keysBefore = isFound ? [] : await listPersonKeys(context, concerned);
  const changed = found === undefined || (await updatePeople(context, getPersonRow(id, content, false))) > 0;
  if (found === undefined) {
    await insertPeople(context, getPersonRow(id, content, true));
  }
  if (replacedId !== null) {
    await replacePerson(context, replacedId, pushed.id);
  }
  const rematch = isFound ? undefined : await matchPerson(context, concerned, keysBefore, 'SCIM');
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
async function replacePerson(context: Context, id: string, scimId: string): Promise<void> {
  const isNeeded =
    (await countOtherActiveUsers(context, id, scimId)) > 0 || (await isLastAdministrator(context, await findUser(context, id)));
  if (!isNeeded) {
    await updateReplacedPerson(context, id);
  }
}

async function findPerson(context: Context, { knownId, isNew, facts }: PushedPerson): Promise<UserRow | undefined> {
  const known = knownId === null ? undefined : await findUser(context, knownId);
  const byAddress = facts.email === '' ? undefined : await findUserByEmail(context, facts.email);
  if (known === undefined || byAddress === undefined || byAddress.id === known.id) {
    return known ?? byAddress;
  }
  if (!isNew && known.email !== '') {
    throw new ScimError(409, 'uniqueness', `Another person has the address ${JSON.stringify(facts.email)}.`);
  }
  return byAddress;
}

async function contentOf(
  context: Context,
  source: ScimSource,
  { before, facts }: PushedPerson,
  found: UserRow | undefined,
  managerId: string | null,
  isActive: boolean,
): Promise<PersonContent> {
  // What the provider does not say, and did not say before, is left as others said it.
  const pick = (name: 'jobTitle' | 'employmentType' | 'department' | 'employeeId', current: string | undefined): string =>
    facts[name] !== '' || (before?.[name] ?? '') !== '' ? facts[name] : (current ?? '');
  const externalId = found === undefined ? '' : await findExternalId(context, found.id);
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
    source: source.id,
  };
}

async function findManager(
  context: Context,
  source: ScimSource,
  { before, facts }: PushedPerson,
  personId: string,
  found: UserRow | undefined,
): Promise<{ id: string | null; problem: MergedPerson['managerProblem'] }> {
  if (facts.managerId === '') {
    return { id: (before?.managerId ?? '') === '' ? (found?.managerId ?? null) : null, problem: '' };
  }
  const id = await findPersonOfUser(context, source.id, facts.managerId);
  if (id === undefined) {
    return { id: null, problem: 'unknown' };
  }
  return (await countAbove(context, id, personId)) > 0 ? { id: null, problem: 'circle' } : { id, problem: '' };
}

/** Disables the person of a user who goes, unless another user stands for them or nobody else could administer the tenant. */
export async function disablePerson(
  context: Context,
  userId: string,
  scimId: string,
): Promise<{ readonly changed: boolean; readonly isKept: boolean }> {
  if ((await countOtherActiveUsers(context, userId, scimId)) > 0) {
    return { changed: false, isKept: false };
  }
  if (await isLastAdministrator(context, await findUser(context, userId))) {
    return { changed: false, isKept: true };
  }
  return { changed: (await updateDisabledPeople(context, getIsPerson(userId))) > 0, isKept: false };
}

async function isLastAdministrator(context: Context, person: UserRow | undefined): Promise<boolean> {
  const roleId = ROLES.SUPER_ADMINISTRATOR.id;
  return (
    person?.status === 'ENABLED' &&
    person.userType === 'HUMAN' &&
    person.roleIds.includes(roleId) &&
    (await countActiveHolders(context, roleId, person.id)) === 0
  );
}
