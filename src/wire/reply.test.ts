/** Replies are whole, and the check that they are finds what is not. */
import { create, toJson } from '@bufbuild/protobuf';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DescMessage } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { requestOf } from '../../test/support/arbitrary-request.ts';
import { listContractServices } from '../../test/support/contract.ts';
import { type AccessReview, AccessReviewSchema, AccessReviewViewSchema } from '../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { type AccessReviewScopeV2, AccessReviewScopeV2Schema } from '../gen/c1/api/accessreview/v1/scope_pb.js';
import { SearchAppsResponseSchema } from '../gen/c1/api/app/v1/app_service_pb.js';
import { type App, AppSchema, type AppUser, AppUserSchema } from '../gen/c1/api/app/v1/app_pb.js';
import { UserServiceGetResponseSchema } from '../gen/c1/api/user/v1/user_service_pb.js';
import { createRegistry } from '@bufbuild/protobuf';
import type { AppError } from '../errors.ts';
import { checkReply } from './check-reply.ts';
import { shape } from './reply.ts';
import type { Row } from './row.ts';

let replies: DescMessage[];

beforeAll(async () => {
  replies = (await listContractServices()).flatMap((service) => service.methods.map((method) => method.output));
});

describe('shape', () => {
  it('adds what must not be absent to every reply of the contract, as protobuf would', () => {
    for (const desc of replies) {
      const shaped = shape(desc, {});
      expect(shaped).toEqual(toJson(desc, create(desc), { alwaysEmitImplicit: true }));
      checkReply(desc, shaped);
    }
  });

  it('keeps what is given, drops undefined and null, leaves unset messages, times and oneof members out', () => {
    const shaped = shape(AccessReviewSchema, {
      displayName: 'a',
      autoResolve: true,
      createdAt: undefined,
      singleApp: null as never,
      description: null as never,
    });
    expect(shaped).toMatchObject({
      displayName: 'a',
      autoResolve: true,
      description: '',
      state: 'ACCESS_REVIEW_STATE_UNSPECIFIED',
      expectedTicketCount: 0,
    });
    for (const absent of ['createdAt', 'singleApp', 'multiApp', 'bindings', 'scope', 'notificationConfig']) {
      expect(shaped).not.toHaveProperty(absent);
    }
  });

  it('shares nothing between two replies', () => {
    const first = shape(SearchAppsResponseSchema, {});
    first.list?.push({});
    expect(shape(SearchAppsResponseSchema, {}).list).toEqual([]);
  });

  it('spells times, whole numbers, enums and packed messages of rows', () => {
    const createdAt = new Date('2026-01-02T03:04:05Z');
    const app = { displayName: 'Wiki', userCount: 9_007_199_254_740_993n, createdAt, deletedAt: null } as Row<App>;
    expect(shape(AppSchema, app)).toMatchObject({ displayName: 'Wiki', userCount: '9007199254740993', createdAt: '2026-01-02T03:04:05Z' });
    expect(shape(AppSchema, app)).not.toHaveProperty('deletedAt');
    const account = { appUserType: 'SERVICE_ACCOUNT', createdAt: '2026-01-02T04:04:05.678901+01:00' } as Row<AppUser>;
    expect(shape(AppUserSchema, account)).toMatchObject({
      appUserType: 'APP_USER_TYPE_SERVICE_ACCOUNT',
      createdAt: '2026-01-02T03:04:05.678Z',
    });
    expect(shape(SearchAppsResponseSchema, { list: [app], nextPageToken: '' }).list?.[0]).toEqual(shape(AppSchema, app));
    expect(shape(UserServiceGetResponseSchema, { expanded: [{ desc: AppSchema, row: app }] }).expanded).toEqual([
      { '@type': 'type.googleapis.com/c1.api.app.v1.App', ...shape(AppSchema, app) },
    ]);
  });

  it('leaves out what a row has beside the fields of the message', () => {
    const row = { displayName: 'Wiki', tenantId: 't' } as unknown as Row<App>;
    expect(shape(AppSchema, row)).not.toHaveProperty('tenantId');
  });

  it('leaves an unset optional text out', () => {
    expect(
      shape(AccessReviewScopeV2Schema, { grantsByCriteria: { accessProfileFilter: {} } } as unknown as Row<AccessReviewScopeV2>),
    ).toEqual({
      principalTypeFilter: 'PRINCIPAL_TYPE_FILTER_UNSPECIFIED',
      grantsByCriteria: {
        accessProfileFilter: {
          excludedAccessProfileIds: [],
          includedAccessProfileIds: [],
          filterType: 'ACCESS_PROFILE_FILTER_TYPE_UNSPECIFIED',
        },
        sourceFilter: 'GRANT_SOURCE_FILTER_UNSPECIFIED',
        typeFilter: 'GRANT_FILTER_TYPE_UNSPECIFIED',
      },
    });
  });

  it('goes all the way down', () => {
    fc.assert(
      fc.property(requestOf(AccessReviewSchema), (json) => {
        const shaped = shape(AccessReviewSchema, json as Row<AccessReview>);
        checkReply(AccessReviewSchema, shaped);
        expect(shaped).toMatchObject(json);
      }),
    );
  });
});

describe('the check of a reply', () => {
  const faultsOf = (desc: DescMessage, json: unknown): string => {
    try {
      checkReply(desc, json, createRegistry(AppSchema));
    } catch (error) {
      expect((error as AppError).code).toBe('INTERNAL');
      return (error as AppError).detail ?? '';
    }
    return '';
  };
  const good = shape(AccessReviewSchema, {});

  it.each([
    [{ ...good, nope: 1 }, 'nope is not in the contract'],
    [{ ...good, displayName: undefined }, 'displayName is missing'],
    [{ ...good, displayName: null }, 'displayName is not a STRING'],
    [{ ...good, expectedTicketCount: '7' }, 'expectedTicketCount is not a INT32'],
    [{ ...good, state: 'OPEN' }, 'state is not a value'],
    [{ ...good, createdAt: '2026-01-01' }, 'createdAt is not a google.protobuf.Timestamp'],
    [{ ...good, createdAt: null }, 'createdAt is not a google.protobuf.Timestamp'],
    [{ ...good, scope: {} }, 'scope.appUserStatuses is missing'],
    [{ ...good, singleApp: { appId: '' }, bindings: {} }, 'members of setup_metadata'],
    [[], 'is not an object'],
  ])('finds what is wrong (%#)', (json, fault) => {
    expect(faultsOf(AccessReviewSchema, json)).toContain(fault);
  });

  it('holds expanded objects to their type', async () => {
    const list = replies.find(({ fields }) => fields.some(({ jsonName }) => jsonName === 'expanded'));
    expect(list).toBeDefined();
    const desc = list ?? AccessReviewViewSchema;
    const app = { '@type': 'type.googleapis.com/c1.api.app.v1.App', ...shape(AppSchema, {}) };
    expect(faultsOf(desc, { ...(shape(desc, {}) as object), expanded: [app] })).toBe('');
    expect(faultsOf(desc, { ...(shape(desc, {}) as object), expanded: [{ ...app, nope: 1 }] })).toContain('expanded[0].nope');
    expect(faultsOf(desc, { ...(shape(desc, {}) as object), expanded: [{ '@type': 'x/y.Z' }] })).toContain('unknown @type');
    expect(faultsOf(desc, { ...(shape(desc, {}) as object), expanded: [{}] })).toContain('expanded');
  });
});
