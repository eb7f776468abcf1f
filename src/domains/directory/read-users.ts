/**
 * Who may read which people, and what the members of a search mean. A Basic User reads only themselves.
 */
import type { SearchUsersRequest } from '../../gen/c1/api/user/v1/user_service_pb.js';
import { DelegateStatus } from '../../gen/c1/api/user/v1/user_service_pb.js';
import { UserOrigin, UserType } from '../../gen/c1/api/user/v1/user_pb.js';
import { AppError } from '../../errors.ts';
import type { Actor, Scope } from '../../scope.ts';
import { ROLES, seesEverything } from './roles.ts';
import { findUser, listUsers, type UserFilter, type UserRow } from './store.ts';

/** Whether the caller reads everybody: all three administrators do, since people are part of the inventory. */
function readsEverybody(actor: Actor): boolean {
  return seesEverything(actor) || actor.roles.has('CAMPAIGN_ADMINISTRATOR');
}

/** The person with this id; NOT_FOUND for nobody and for everybody the caller may not know of. */
export async function getUser(scope: Scope, id: string): Promise<UserRow> {
  const user = id === scope.actor.userId || readsEverybody(scope.actor) ? await findUser(scope, id) : undefined;
  if (user === undefined) {
    throw new AppError('NOT_FOUND', 'There is no such user.');
  }
  return user;
}

/** The caller. */
export async function getSelf(scope: Scope): Promise<UserRow> {
  const user = await findUser(scope, scope.actor.userId);
  if (user === undefined) {
    throw new AppError('NOT_FOUND', 'This credential belongs to nobody.');
  }
  return user;
}

/** A page of the people a search asks for; narrowed to the caller where they may see nobody else. */
export async function searchUsers(
  scope: Scope,
  filter: UserFilter | undefined,
  after: string | undefined,
  limit: number,
): Promise<UserRow[]> {
  if (filter === undefined) {
    return [];
  }
  const visible = readsEverybody(scope.actor) ? filter : { ...filter, ids: intersect(filter.ids, [scope.actor.userId]) };
  return listUsers(scope, visible, after, limit);
}

function intersect(wanted: readonly string[] | undefined, allowed: readonly string[]): readonly string[] {
  return wanted === undefined ? allowed : allowed.filter((id) => wanted.includes(id));
}

const statusNames = ['', 'ENABLED', 'DISABLED', 'DELETED'] as const;

/**
 * What a search request asks for, or undefined where nobody can match: it asks for delegates, other kinds of people or source
 * apps, of which there are none. Empty lists and texts filter nothing, `isDelegate: false` neither.
 */
export function filterOfSearch(request: SearchUsersRequest): UserFilter | undefined {
  if (asksForNobody(request)) {
    return undefined;
  }
  const some = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list);
  const ids = [...request.ids, ...request.refs.map((ref) => ref.id)];
  return {
    ids: some(ids),
    excludeIds: some(request.excludeIds),
    email: request.email.trim() === '' ? undefined : request.email.trim().toLowerCase(),
    query: request.query.trim() === '' ? undefined : request.query.trim(),
    departments: some(request.departments),
    jobTitles: some(request.jobTitles),
    managerIds: some(request.managerIds),
    roleIds: request.roleIds.includes(ROLES.BASIC_USER.id) ? undefined : some(request.roleIds),
    statuses: some(request.userStatuses.map((status) => statusNames[status] ?? '')),
    fromSource: fromSource(request),
  };
}

function asksForNobody(request: SearchUsersRequest): boolean {
  return (
    request.delegateStatus === DelegateStatus.HAS_DELEGATE ||
    request.isDelegate ||
    request.delegatedUserIds.length > 0 ||
    request.sourceAppIds.length > 0 ||
    request.excludeTypes.includes(UserType.HUMAN) ||
    (originsWanted(request).directory === false && originsWanted(request).local === false)
  );
}

function originsWanted(request: SearchUsersRequest): { directory: boolean; local: boolean } {
  const wants = (origin: UserOrigin) =>
    (request.origins.length === 0 || request.origins.includes(origin)) && !request.excludeOrigins.includes(origin);
  return { directory: wants(UserOrigin.DIRECTORY), local: wants(UserOrigin.LOCAL) };
}

function fromSource(request: SearchUsersRequest): boolean | undefined {
  const { directory, local } = originsWanted(request);
  return directory && local ? undefined : directory;
}
