/**
 * The services about whose account is whose, and of which type: each method calls one rule and shapes the reply.
 */
import {
  AccountOwnerService,
  AccountOwnerServiceReleaseOwnerResponseSchema,
  AccountOwnerServiceSetOwnerResponseSchema,
  MatchOrderService,
  MatchOrderServiceGetOrderResponseSchema,
  MatchOrderServiceSetOrderResponseSchema,
  MatchRule as WireRule,
  type MatchRuleJson,
} from '../../gen/countersign/v1/identity_pb.js';
import type { JsonObject } from '@bufbuild/protobuf';
import { AppUserService, AppUserServiceUpdateResponseSchema } from '../../gen/c1/api/app/v1/app_user_service_pb.js';
import { shape } from '../../wire/reply.ts';
import { implement, implementPart } from '../../wire/service.ts';
import { shapeAccount, viewAccounts } from '../catalog/index.ts';
import { changeAccount } from './change-account.ts';
import { requireOrderedSource, setMatchOrder } from './set-match-order.ts';
import { releaseOwner, setOwner } from './set-owner.ts';
import type { MatchRule } from './store-match.ts';

const ownerService = implement(AccountOwnerService, {
  setOwner: async (context, request) =>
    shape(AccountOwnerServiceSetOwnerResponseSchema, {
      appUser: shapeAccount(await setOwner(context, request.appId, request.appUserId, request.userId)),
    }),
  releaseOwner: async (context, request) => {
    const { account, matchCount } = await releaseOwner(context, request.appId, request.appUserId);
    return shape(AccountOwnerServiceReleaseOwnerResponseSchema, { appUser: shapeAccount(account), matchCount });
  },
});

/** The part of the catalog's service that is a change of what a source says. */
const accountService = implementPart(AppUserService, {
  update: async (context, request, call) => {
    const { appUserAppId, appUserId, expandMask } = request;
    const account = await changeAccount(context, appUserAppId, appUserId, (call.sent.appUser ?? {}) as JsonObject, call.mask);
    const { expanded, list } = await viewAccounts(call, [account], expandMask?.paths);
    return shape(AppUserServiceUpdateResponseSchema, { expanded, appUserView: list[0] });
  },
});

const rules: Readonly<Record<WireRule, MatchRule | ''>> = {
  [WireRule.UNSPECIFIED]: '',
  [WireRule.EMAIL]: 'EMAIL',
  [WireRule.EMPLOYEE_ID]: 'EMPLOYEE_ID',
  [WireRule.USERNAME]: 'USERNAME',
};
const shapeOrder = (order: readonly MatchRule[]): MatchRuleJson[] => order.map((rule): MatchRuleJson => `MATCH_RULE_${rule}`);

const orderService = implement(MatchOrderService, {
  getOrder: async (context, request) =>
    shape(MatchOrderServiceGetOrderResponseSchema, { order: shapeOrder((await requireOrderedSource(context, request.connectorId)).order) }),
  setOrder: async (context, request) => {
    const rematch = await setMatchOrder(
      context,
      request.connectorId,
      request.order.map((rule) => rules[rule]),
    );
    const { order } = await requireOrderedSource(context, request.connectorId);
    return shape(MatchOrderServiceSetOrderResponseSchema, { order: shapeOrder(order), changedCount: String(rematch?.changed ?? 0) });
  },
});

/** Owners and types set manually, and how the other owners are found. */
export const ownerServices = [ownerService, accountService, orderService];
