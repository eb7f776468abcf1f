/**
 * The person for whom a pushed user stands: the one with the address, or one made for it. A person whom the source made, or was given, then says
 * what the provider says. Of all others, and of what is guarded of those who hold a role, a claim waits for an administrator.
 */
import type { Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import {
  findUser,
  findUserByEmail,
  insertPeople,
  updateDisabledPeople,
  updatePeople,
  updateReplacedPerson,
  type UserRow,
} from '../directory/index.ts';
import { listPersonKeys, matchPerson, type PersonRematch } from '../identity/index.ts';
import {
  compareWith,
  contentWith,
  countAbove,
  type Described,
  findBelonging,
  findExternalId,
  getPersonRowSql,
  guarded,
  insertBelonging,
  isRefused,
  makeClaim,
  type PersonContent,
  type Wanted,
  withdrawClaim,
} from '../person-claims/index.ts';
import { ScimError, countOtherActiveUsers } from './document/index.ts';
import type { Facts } from './facts.ts';
import type { ScimSource } from './source.ts';
import { findPersonOfUser, getIsPersonSql } from './store-people.ts';

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

/** Result for the person. */
export interface MergedPerson {
  readonly id: string;
  readonly email: string;
  readonly isNew: boolean;
  readonly changed: boolean;
  /** A deleted person owns no account, until an administrator lets the source bring them back. */
  readonly isGone: boolean;
  /** Problem with a manager who could not be followed: somebody unknown, or a circle; '' where nothing is. */
  readonly managerProblem: '' | 'unknown' | 'circle';
  /** The accounts, of whatever app, that are theirs now, or no longer; undefined where nothing changed by which accounts are matched. */
  readonly rematch: PersonRematch | undefined;
}

/**
 * Makes the person say what the provider says, as far as its source may, and matches the accounts again that this could concern. 409 where the
 * address is somebody else's. The lock of roles is held, and no revision is taken yet.
 */
export async function mergePerson(context: Context, source: ScimSource, pushed: PushedPerson): Promise<MergedPerson> {
  const { facts } = pushed;
  const found = await findPerson(context, source, pushed);
  const id = found?.id ?? newId(context.now);
  const manager = await findManager(context, source, pushed, id, found);
  const staysActive = facts.isActive || (await countOtherActiveUsers(context, id, pushed.id)) > 0;
  const described = found === undefined ? undefined : { ...found, externalId: await findExternalId(context, found.id) };
  const wanted = contentOf(source, pushed, described, manager.id, staysActive);
  const replacedId = found === undefined || pushed.isNew || pushed.knownId === id ? null : pushed.knownId;
  const content = described === undefined ? wanted : await permitContent(context, source, described, wanted);
  const concerned = replacedId === null ? [id] : [id, replacedId];
  const isFound = replacedId === null && (content === undefined || !isFoundOtherwise(found, content));
  const keysBefore = isFound ? [] : await listPersonKeys(context, concerned);
  const changed = found === undefined || (content !== undefined && (await updatePeople(context, getPersonRowSql(id, content, false))) > 0);
  if (found === undefined) {
    await insertPeople(context, getPersonRowSql(id, wanted, true));
    await insertBelonging(context, { userId: id, sourceId: source.id, how: 'MADE', givenById: '' });
  }
  if (replacedId !== null) {
    await replacePerson(context, source, replacedId, pushed.id);
  }
  const rematch = isFound ? undefined : await matchPerson(context, concerned, keysBefore, 'SCIM');
  const isGone = content === undefined && found?.status === 'DELETED';
  const email = content?.email ?? found?.email ?? '';
  return { id, email, isNew: found === undefined, changed, isGone, managerProblem: manager.problem, rematch };
}

/**
 * Picks what the source may write of a person who is there; undefined for nothing. All of a person of its own, but for what is guarded where they
 * hold a role; nothing of another's. What it may not write becomes a claim.
 */
async function permitContent(
  context: Context,
  source: ScimSource,
  person: Described,
  wanted: PersonContent,
): Promise<PersonContent | undefined> {
  const differing = compareWith(person, wanted);
  const of = { userId: person.id, sourceId: source.id };
  if (!(await findBelonging(context, person.id, source.id))) {
    await makeClaim(context, { ...of, kind: 'MATCH', wanted: differing });
    return undefined;
  }
  const waiting: Wanted =
    person.roleIds.length === 0
      ? {}
      : Object.fromEntries(Object.entries(differing).filter(([member]) => (guarded as readonly string[]).includes(member)));
  if (Object.keys(waiting).length === 0) {
    await withdrawClaim(context, person.id, source.id);
    return wanted;
  }
  await makeClaim(context, { ...of, kind: 'CHANGE', wanted: waiting });
  const rest = Object.fromEntries(Object.entries(differing).filter(([member]) => !Object.hasOwn(waiting, member)));
  return contentWith(person, rest, source.id);
}

/** True if accounts are matched to them by something they did not have before. */
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
async function replacePerson(context: Context, source: ScimSource, id: string, scimId: string): Promise<void> {
  const person = await findUser(context, id);
  const isOwn = person !== undefined && person.roleIds.length === 0 && (await findBelonging(context, id, source.id));
  if (isOwn && (await countOtherActiveUsers(context, id, scimId)) === 0) {
    await updateReplacedPerson(context, id);
  }
}

async function findPerson(context: Context, source: ScimSource, { knownId, isNew, facts }: PushedPerson): Promise<UserRow | undefined> {
  const known = knownId === null ? undefined : await findUser(context, knownId);
  const byAddress = facts.email === '' ? undefined : await findUserByEmail(context, facts.email);
  if (known === undefined || byAddress?.id === known.id) {
    return known ?? byAddress;
  }
  const isOwn = await findBelonging(context, known.id, source.id);
  if (byAddress === undefined) {
    // Somebody whom an administrator did not give to the source is not who it means, once it says another address.
    return !isOwn && facts.email !== '' && (await isRefused(context, known.id, source.id)) ? undefined : known;
  }
  if (isOwn && !isNew && known.email !== '') {
    throw new ScimError(409, 'uniqueness', `Another person has the address ${JSON.stringify(facts.email)}.`);
  }
  if (!isOwn) {
    await withdrawClaim(context, known.id, source.id);
  }
  return byAddress;
}

function contentOf(
  source: ScimSource,
  { before, facts }: PushedPerson,
  found: Described | undefined,
  managerId: string | null,
  isActive: boolean,
): PersonContent {
  // What the provider does not say, and did not say before, is left as others said it.
  const pick = (name: 'jobTitle' | 'employmentType' | 'department' | 'employeeId' | 'externalId'): string =>
    facts[name] !== '' || (before?.[name] ?? '') !== '' ? facts[name] : (found?.[name] ?? '');
  return {
    email: facts.email || (found?.email ?? ''),
    displayName: facts.displayName,
    status: isActive ? 'ENABLED' : 'DISABLED',
    username: facts.userName,
    employeeId: pick('employeeId'),
    externalId: pick('externalId'),
    employmentType: pick('employmentType'),
    department: pick('department'),
    jobTitle: pick('jobTitle'),
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

/**
 * Disables the person of a user who goes, unless another user stands for them. Somebody who is not the source's stays as they are, and of somebody who
 * holds a role a claim waits.
 */
export async function disablePerson(context: Context, source: ScimSource, userId: string, scimId: string): Promise<void> {
  const person = await findUser(context, userId);
  if (person === undefined || !(await findBelonging(context, userId, source.id))) {
    await withdrawClaim(context, userId, source.id);
    return;
  }
  if ((await countOtherActiveUsers(context, userId, scimId)) > 0) {
    return;
  }
  if (person.roleIds.length === 0) {
    await updateDisabledPeople(context, getIsPersonSql(userId));
  } else if (person.status === 'ENABLED') {
    await makeClaim(context, { userId, sourceId: source.id, kind: 'CHANGE', wanted: { status: 'DISABLED' } });
  }
}
