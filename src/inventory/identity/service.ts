/**
 * The services about whose account is whose, and of which type: each method calls one rule and shapes the reply.
 */
import { AccountOwnerService, MatchOrderService, MatchRule as WireRule } from '../../gen/countersign/v1/identity_pb.js';
import { AppUserService } from '../../gen/c1/api/app/v1/app_user_service_pb.js';
import { implement, implementPart } from '../../wire/service.ts';
import { loadSight, shapeAccount, viewAccounts } from '../catalog/index.ts';
import { changeAccount } from './change-account.ts';
import { requireOrderedSource, setMatchOrder } from './set-match-order.ts';
import { releaseOwner, setOwner } from './set-owner.ts';
import type { MatchRule } from './store-match.ts';

const ownerService = implement(AccountOwnerService, {
  setOwner: async (context, request) => ({
    appUser: shapeAccount(await loadSight(context), await setOwner(context, request.appId, request.appUserId, request.userId)),
  }),
  releaseOwner: async (context, request) => {
    const { account, matchCount } = await releaseOwner(context, request.appId, request.appUserId);
    return { appUser: shapeAccount(await loadSight(context), account), matchCount };
  },
});

/** The part of the catalog's service that is a change of what a source says. */
const accountService = implementPart(AppUserService, {
  update: async (context, request, call) => {
    const { appUserAppId, appUserId, expandMask } = request;
    const account = await changeAccount(context, appUserAppId, appUserId, call.sent.appUser ?? {}, call.mask);
    const { expanded, list } = await viewAccounts(context, call, [account], expandMask?.paths);
    return { expanded, appUserView: list[0] };
  },
});

const rules: Readonly<Record<WireRule, MatchRule | ''>> = {
  [WireRule.UNSPECIFIED]: '',
  [WireRule.EMAIL]: 'EMAIL',
  [WireRule.EMPLOYEE_ID]: 'EMPLOYEE_ID',
  [WireRule.USERNAME]: 'USERNAME',
};

const orderService = implement(MatchOrderService, {
  getOrder: async (context, request) => ({ order: (await requireOrderedSource(context, request.connectorId)).order }),
  setOrder: async (context, request) => {
    const rematch = await setMatchOrder(
      context,
      request.connectorId,
      request.order.map((rule) => rules[rule]),
    );
    const { order } = await requireOrderedSource(context, request.connectorId);
    return { order, changedCount: rematch?.changed };
  },
});

/** Owners and types set manually, and how the other owners are found. */
export const ownerServices = [ownerService, accountService, orderService];
