/**
 * The order in which a source's accounts are matched to people.
 */
import { isDeepStrictEqual } from 'node:util';
import { orThrow, refuseInvalid } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { asTexts } from '../../lib/json.ts';
import { asReadBy, recordEvent, refuseStale } from '../../foundation/audit/index.ts';
import { requireLockedApp } from '../catalog/index.ts';
import { updateMatchOrder } from '../sources/index.ts';
import { matchAccounts, type Rematch } from './match-accounts.ts';
import { type MatchRule, matchRules } from './store-match.ts';
import { findOrderedSource, type OrderedSource } from './store-match-order.ts';

/** The source of accounts with this id; NOT_FOUND for none, for a deleted one, and for a source of people, which matches nothing. */
export async function requireOrderedSource(context: Context, id: string): Promise<OrderedSource> {
  return orThrow(await findOrderedSource(context, id), 'NOT_FOUND', 'There is no such source of accounts.');
}

/**
 * Gives a source this order and matches its app's accounts again at once; returns what changed, undefined where the order was this one
 * already. NOT_FOUND as above, INVALID_ARGUMENT for an order that is empty, names a rule twice, or one there is not.
 */
export function setMatchOrder(context: Context, id: string, order: readonly (MatchRule | '')[]): Promise<Rematch | undefined> {
  return inTransaction(context, async (inside) => {
    const { appId } = await requireOrderedSource(inside, id);
    const rules = checkOrder(order);
    await requireLockedApp(inside, appId);
    const before = await requireOrderedSource(inside, id);
    if (isDeepStrictEqual(before.order, rules)) {
      return undefined;
    }
    const read = asReadBy(inside, (asRead) => ({ order: asTexts(asRead.order).map((name) => name.replace('MATCH_RULE_', '')) }));
    await refuseStale(inside, { targetId: id, kinds: ['connector.match_order_changed'], read, before: { order: before.order } });
    await updateMatchOrder(inside, id, rules);
    const rematch = await matchAccounts(inside, appId, 'MANUAL');
    await recordEvent(inside, {
      kind: 'connector.match_order_changed',
      targetId: id,
      data: {
        appId,
        from: before.order,
        to: rules,
        revisions: rematch.revisions,
        changedAccounts: rematch.changed,
        accounts: rematch.first,
      },
    });
    return rematch;
  });
}

function checkOrder(order: readonly (MatchRule | '')[]): MatchRule[] {
  const known = `the rules are ${matchRules.map((rule) => `MATCH_RULE_${rule}`).join(', ')}`;
  const violations = order.flatMap((rule, index) => {
    const description =
      rule === '' ? `names no rule; ${known}` : order.indexOf(rule) < index ? `names a rule twice; each rule applies once` : '';
    return description === '' ? [] : [{ field: `order[${index}]`, description }];
  });
  if (order.length === 0) {
    violations.push({ field: 'order', description: `must name at least one rule; ${known}` });
  }
  refuseInvalid(violations);
  return order.filter((rule) => rule !== '');
}
