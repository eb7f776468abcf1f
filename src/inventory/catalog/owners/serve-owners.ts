/**
 * Owners of the second version for whatever has them: apps, entitlements, resources, accounts, sources, people. Their services have the same
 * methods over messages that differ in names alone, so the methods are made once, from the descriptors of a service.
 */
import type { DescMessage, DescService, Message } from '@bufbuild/protobuf';
import { AppError, invalidField } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { pageByKey } from '../../../wire/page.ts';
import type { BoundMethod, BoundService, Call } from '../../../wire/service.ts';
import { listUsersByIds, shapeUser } from '../../../foundation/directory/index.ts';
import { exactlyBoth, oneEntitlementFewer, oneEntitlementMore, readRole, entitlementKey } from './change-owner-entitlements.ts';
import { changeOwners, oneFewer, oneMore } from './change-owners.ts';
import { noSuchUser, type OwnedThing } from './ownables.ts';
import {
  type OwnerRow,
  type OwnerSort,
  findOwner,
  listEntitlementsByIds,
  listOwners,
  loadSight,
  shapeEntitlement,
} from '../record/index.ts';

/** Owned thing as the path of a request of any of these services names it. */
export interface OwnedPath {
  readonly appId: string;
  readonly entitlementId: string;
  readonly resourceTypeId: string;
  readonly resourceId: string;
  /** Of a person, or of an account, which is an app's user. */
  readonly userId: string;
  readonly connectorId: string;
}

/** A request of any of these services; it has the members that its message has. */
interface OwnerRequest extends OwnedPath, Message {
  readonly roleSlug: string;
  readonly userRefId: string;
  readonly userRef?: { readonly id: string };
  readonly userRefs: readonly { readonly id: string }[];
  readonly appEntitlementRefAppId: string;
  readonly appEntitlementRefId: string;
  readonly appEntitlementRef?: { readonly appId: string; readonly id: string };
  readonly appEntitlementRefs: readonly { readonly appId: string; readonly id: string }[];
}

type Run = (context: Context, request: OwnerRequest, call: Call, desc: DescMessage) => Promise<object>;

/** The service with all its methods; `thingOf` says what the path of a request names. */
export function serveOwners(desc: DescService, thingOf: (path: OwnedPath) => OwnedThing): BoundService {
  const runs = methodsOf(thingOf);
  return {
    desc,
    methods: desc.methods.map((method) => {
      const run = runs[method.localName];
      if (run === undefined) {
        throw new TypeError(`${desc.typeName}.${method.name} is not implemented`);
      }
      const bound: BoundMethod['run'] = (context, request: OwnerRequest, call) => run(context, request, call, method.output);
      return { desc: method, run: bound };
    }),
  };
}

function methodsOf(thingOf: (path: OwnedPath) => OwnedThing): Readonly<Record<string, Run>> {
  const findOne =
    (sort: OwnerSort): Run =>
    async (context, request, _call, desc) => {
      const thing = thingOf(request);
      await thing.require(context);
      const row = await findOwner(context, thing.of, sort, readRole(request.roleSlug), ownerOf(request, sort));
      if (row === undefined) {
        throw new AppError('NOT_FOUND', 'It has no such owner in this role.');
      }
      return shapeOne(context, request, desc, sort, row);
    };
  const search =
    (sort: OwnerSort): Run =>
    async (context, request, call, desc) => {
      const thing = thingOf(request);
      await thing.require(context);
      const role = request.roleSlug === '' ? undefined : request.roleSlug;
      const { rows, nextPageToken } = await pageByKey(
        call,
        (after, limit) => {
          const [roleSlug = '', place, ref = ''] = after ?? [];
          const last = after === undefined ? undefined : { roleSlug, place: Number(place), ref };
          return listOwners(context, thing.of, sort, role, last, limit);
        },
        (row) => [row.roleSlug, String(row.place), row.ref],
      );
      const list = await shapeOwners(context, request, messageOf(desc), sort, rows);
      return { list, nextPageToken };
    };
  const create =
    (sort: OwnerSort): Run =>
    async (context, request, call, desc) => {
      requireSameOwner(request, sort);
      const decide = sort === 'people' ? oneMore(request.userRefId, noSuchUser) : oneEntitlementMore(entitlementOf(request));
      await changeOwners(context, thingOf(request), decide, readRole(request.roleSlug));
      return findOne(sort)(context, request, call, desc);
    };
  const remove =
    (sort: OwnerSort): Run =>
    async (context, request) => {
      requireSameOwner(request, sort);
      const decide = sort === 'people' ? oneFewer(request.userRefId, noSuchUser) : oneEntitlementFewer(entitlementOf(request));
      await changeOwners(context, thingOf(request), decide, readRole(request.roleSlug));
      return {};
    };
  return {
    createEntitlementOwner: create('entitlements'),
    createUserOwner: create('people'),
    deleteEntitlementOwner: remove('entitlements'),
    deleteUserOwner: remove('people'),
    getEntitlementOwner: findOne('entitlements'),
    getUserOwner: findOne('people'),
    searchEntitlementOwners: search('entitlements'),
    searchUserOwners: search('people'),
    set: async (context, request) => {
      const userIds = request.userRefs.map(({ id }) => id);
      await changeOwners(context, thingOf(request), exactlyBoth(userIds, request.appEntitlementRefs), readRole(request.roleSlug));
      return {};
    },
  };
}

const entitlementOf = ({ appEntitlementRefAppId: appId, appEntitlementRefId: id }: OwnerRequest) => ({ appId, id });

const ownerOf = (request: OwnerRequest, sort: OwnerSort): string =>
  sort === 'people' ? request.userRefId : entitlementKey(entitlementOf(request));

/** Clients repeat in the body whom the path names. INVALID_ARGUMENT where it names somebody else. */
function requireSameOwner(request: OwnerRequest, sort: OwnerSort): void {
  if (sort === 'people') {
    if ((request.userRef?.id ?? '') !== '' && request.userRef?.id !== request.userRefId) {
      throw invalidField('userRef.id', 'is another person than the one in the path; leave it out');
    }
    return;
  }
  const { appId = '', id = '' } = request.appEntitlementRef ?? {};
  if ((appId !== '' && appId !== request.appEntitlementRefAppId) || (id !== '' && id !== request.appEntitlementRefId)) {
    throw invalidField('appEntitlementRef', 'is another entitlement than the one in the path; leave it out');
  }
}

/** The message in the only member of a reply, or the one its list holds. */
function messageOf(desc: DescMessage): DescMessage {
  const field = desc.fields.find(({ message }) => message !== undefined);
  if (field?.message === undefined) {
    throw new TypeError(`${desc.typeName} holds no message`);
  }
  return field.message;
}

async function shapeOne(context: Context, request: OwnerRequest, desc: DescMessage, sort: OwnerSort, row: OwnerRow): Promise<object> {
  const [owner] = await shapeOwners(context, request, messageOf(desc), sort, [row]);
  const member = desc.fields[0]?.jsonName ?? '';
  return { [member]: owner ?? {} };
}

/** Owners with what is owned as the request names it; one query for all of them. */
async function shapeOwners(
  context: Context,
  request: OwnerRequest,
  desc: DescMessage,
  sort: OwnerSort,
  rows: readonly OwnerRow[],
): Promise<object[]> {
  const ids = rows.map(({ ref }) => ref.slice(ref.indexOf('/') + 1));
  const path = request as unknown as Readonly<Record<string, string>>;
  const owned = Object.fromEntries(
    desc.fields
      .filter(({ message, name }) => message === undefined && name !== 'role_slug')
      .map(({ jsonName, localName }) => [jsonName, path[localName]]),
  );
  const sight = await loadSight(context);
  const found: ReadonlyMap<string, object> =
    sort === 'people'
      ? new Map([...(await listUsersByIds(context, ids))].map(([id, user]) => [id, { user: shapeUser(context.actor, user) }]))
      : new Map(
          [...(await listEntitlementsByIds(context, ids))].map(([id, one]) => [id, { appEntitlement: shapeEntitlement(sight, one) }]),
        );
  return rows.map(({ roleSlug, createdAt }, index) => ({ ...owned, ...found.get(ids[index] ?? ''), roleSlug, createdAt }));
}
