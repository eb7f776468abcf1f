/** Access to people, and the meaning of a search's members. A Basic User reads only themselves. */
import type { SearchUsersRequest } from '../../gen/c1/api/user/v1/user_service_pb.js';
import { DelegateStatus, UserSort } from '../../gen/c1/api/user/v1/user_service_pb.js';
import { UserOrigin, UserType } from '../../gen/c1/api/user/v1/user_pb.js';
import { orThrow } from '../../errors.ts';
import { getAddressKey } from '../../lib/names/same-name.ts';
import { some, wantedText } from '../../lib/where.ts';
import type { Actor, Context } from '../../context.ts';
import { listByText } from '../search/index.ts';
import { holds } from '../authority/index.ts';
import { ROLES } from './roles.ts';
import { findUser, type UserRow } from './store.ts';
import { type ListedUser, listUsers, type UserFilter, type UserOrder, type UserPage } from './store-search.ts';

/** True if the caller reads everybody: all three administrators do, since people are part of the inventory. */
function readsEverybody(actor: Actor): boolean {
  return holds(actor, 'inventory.read');
}

/** The person with this id; NOT_FOUND for nobody and for everybody the caller may not know of. */
export async function getUser(context: Context, id: string): Promise<UserRow> {
  const user = id === context.actor.userId || readsEverybody(context.actor) ? await findUser(context, id) : undefined;
  return orThrow(user, 'NOT_FOUND', 'There is no such user.');
}

/** The caller. */
export async function getSelf(context: Context): Promise<UserRow> {
  return orThrow(await findUser(context, context.actor.userId), 'NOT_FOUND', 'This credential belongs to no person.');
}

/** A page of the people a search asks for; narrowed to the caller where they may see nobody else. */
export async function searchUsers(context: Context, filter: UserFilter, page: UserPage): Promise<ListedUser[]> {
  const visible = readsEverybody(context.actor) ? filter : { ...filter, ids: intersect(filter.ids, [context.actor.userId]) };
  const { ids, email, managerIds, delegatedUserIds, hasDelegate, isDelegate } = visible;
  const isNarrow = (ids ?? email ?? managerIds ?? delegatedUserIds ?? hasDelegate ?? isDelegate) !== undefined;
  const after = page.order === 'ID' ? (page.after?.[0] ?? '') : undefined;
  return listByText(context, { kind: 'USER', query: visible.query, after, limit: page.limit, isNarrow }, (range) =>
    listUsers(context, { ...visible, ...range }, page),
  );
}

function intersect(wanted: readonly string[] | undefined, allowed: readonly string[]): readonly string[] {
  return wanted === undefined ? allowed : allowed.filter((id) => wanted.includes(id));
}

const statusNames = ['', 'ENABLED', 'DISABLED', 'DELETED'] as const;

/** The names of enum values as the store has them, UNSPECIFIED left out; undefined where none was sent. */
function namesOf<T extends string>(values: readonly number[], names: Readonly<Record<number, string>>): readonly T[] | undefined {
  const known = values.filter((value) => value !== 0);
  return known.length === 0 ? undefined : known.map((value) => names[value] as T);
}

/** Reads the order of a search request. */
export function orderOfSearch({ sort }: SearchUsersRequest): UserOrder {
  return sort === UserSort.NAME ? 'NAME' : 'ID';
}

/** Reads the filter of a search request. Empty lists and texts filter nothing, `isDelegate: false` neither. */
export function filterOfSearch(request: SearchUsersRequest): UserFilter {
  return {
    ids: some([...request.ids, ...request.refs.map((ref) => ref.id)]),
    excludeIds: some(request.excludeIds),
    email: getAddressKey(request.email) || undefined,
    query: wantedText(request.query),
    departments: some(request.departments),
    jobTitles: some(request.jobTitles),
    managerIds: some(request.managerIds),
    roleIds: request.roleIds.includes(ROLES.BASIC_USER.id) ? undefined : some(request.roleIds),
    statuses: some(request.userStatuses.map((status) => statusNames[status] ?? '')),
    origins: namesOf(request.origins, UserOrigin),
    excludeOrigins: namesOf(request.excludeOrigins, UserOrigin),
    excludeTypes: namesOf(request.excludeTypes, UserType),
    hasDelegate: request.delegateStatus === DelegateStatus.HAS_DELEGATE || undefined,
    lacksDelegate: request.delegateStatus === DelegateStatus.NO_DELEGATE || undefined,
    delegatedUserIds: some(request.delegatedUserIds),
    isDelegate: request.isDelegate || undefined,
    sourceAppIds: some(request.sourceAppIds),
  };
}
