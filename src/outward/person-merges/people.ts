/** People of whom two may be one, or one two: what stands against it, and what becomes of their facts. */
import { AppError, invalidField } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { setLockWait } from '../../inventory/catalog/index.ts';
import {
  countActiveHolders,
  countSuspensions,
  findUser,
  findUserByEmail,
  holdPeople,
  lockRoles,
  type PersonFacts,
  ROLES,
  updateFacts,
  type UserRow,
} from '../../foundation/directory/index.ts';
import { isErasureAsked } from '../erasures/index.ts';
import { findOpenDispute, findTeller } from '../../inventory/people/index.ts';
import { type FactChange, listChanges } from './parts.ts';

/** Holds these people as whoever pushes and imports them does: roles first, so that nobody gets a role or loses the last one meanwhile. */
export async function lockPeople(context: Context, ids: readonly string[]): Promise<void> {
  await setLockWait(context);
  await lockRoles(context);
  await holdPeople(context, ids);
}

/** The person with this id. NOT_FOUND for nobody, and INVALID_ARGUMENT for the second one of a request; FAILED_PRECONDITION for somebody who is gone. */
export async function requirePerson(context: Context, id: string, field = ''): Promise<UserRow> {
  const user = id === '' ? undefined : await findUser(context, id);
  if (user === undefined || user.userType !== 'HUMAN') {
    throw field === '' ? new AppError('NOT_FOUND', 'There is no such user.') : invalidField(field, 'must be the id of a person');
  }
  if (user.mergedIntoId !== null) {
    throw new AppError('FAILED_PRECONDITION', `${nameOf(user)} was merged into the person ${user.mergedIntoId} already.`);
  }
  if (user.status === 'DELETED') {
    throw new AppError('FAILED_PRECONDITION', `${nameOf(user)} is deleted.`);
  }
  return user;
}

function nameOf({ displayName, email, id }: UserRow): string {
  return displayName || email || id;
}

/** FAILED_PRECONDITION while a source reports somebody who may be one of these people. */
export async function refuseDisputed(context: Context, ids: readonly string[]): Promise<void> {
  const recordId = await findOpenDispute(context, ids);
  if (recordId !== undefined) {
    throw new AppError(
      'FAILED_PRECONDITION',
      `It is disputed whose the record ${recordId} is, and it may be this person's: answer that first ("Who is this?", countersign identity disputed).`,
    );
  }
}

/** FAILED_PRECONDITION while somebody asks for the data of one of these people to be erased, or it is being erased: it would be done to somebody else. */
export async function refuseErased(context: Context, people: readonly UserRow[]): Promise<void> {
  for (const person of people) {
    if (await isErasureAsked(context, person.id)) {
      throw new AppError(
        'FAILED_PRECONDITION',
        `Somebody asked for the data of ${nameOf(person)} to be erased: confirm or reject that first, and wait until it is done (countersign request list).`,
      );
    }
  }
}

/** FAILED_PRECONDITION where an enabled Super Administrator would go and nobody else is one. */
export async function refuseLastAdministrator(context: Context, person: UserRow): Promise<void> {
  const roleId = ROLES.SUPER_ADMINISTRATOR.id;
  if (person.status === 'ENABLED' && person.roleIds.includes(roleId) && (await countActiveHolders(context, roleId, person.id)) === 0) {
    throw new AppError(
      'FAILED_PRECONDITION',
      `${nameOf(person)} is the last enabled Super Administrator: give the role to somebody else first.`,
    );
  }
}

/** Facts that a person keeps; what is '' or undefined the record says that speaks for them. */
export interface KeptFacts extends Pick<PersonFacts, 'email' | 'username' | 'employeeId' | 'displayName'> {
  readonly employmentStatus: string | undefined;
  readonly source: string | undefined;
}

/**
 * Gives a person the status that their records say, and what they lack and the record that speaks for them says. Of somebody who holds a role, or held one
 * that is suspended, nothing that they are found by: that is never changed by a source alone. FAILED_PRECONDITION where nobody would be left to
 * administrate.
 */
export async function settleFacts(
  context: Context,
  person: UserRow,
  { kept, status }: { readonly kept: KeptFacts; readonly status: 'ENABLED' | 'DISABLED' | null },
): Promise<FactChange[]> {
  const isHolder = person.roleIds.length > 0 || (await countSuspensions(context, person.id, [])) > 0;
  const said = await findTeller(context, person.id);
  const teller = isHolder ? undefined : said;
  const after: PersonFacts = {
    email: kept.email || (await pickFree(context, person.id, teller?.email ?? '')),
    username: kept.username || (teller?.username ?? ''),
    employeeId: kept.employeeId || (teller?.employeeId ?? ''),
    displayName: kept.displayName || said?.displayName || person.displayName,
    employmentStatus: kept.employmentStatus ?? said?.employmentStatus ?? '',
    source: kept.source ?? said?.sourceId ?? person.source,
    status: status ?? (person.status === 'ENABLED' ? 'ENABLED' : 'DISABLED'),
  };
  const changes = listChanges(person, after);
  if (after.status === 'DISABLED') {
    await refuseLastAdministrator(context, person);
  }
  if (changes.length > 0 || after.source !== person.source) {
    await updateFacts(context, person.id, after);
  }
  return changes;
}

/** The address, or '' where somebody else has it. */
async function pickFree(context: Context, id: string, email: string): Promise<string> {
  const holder = email === '' ? undefined : await findUserByEmail(context, email);
  return holder === undefined || holder.id === id ? email : '';
}
