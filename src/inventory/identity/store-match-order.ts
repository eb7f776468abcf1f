/**
 * SQL of the order in which a source's accounts are matched to people: connectors.match_order.
 */
import type { Context } from '../../context.ts';
import type { MatchRule } from './store-match.ts';

/** A source of accounts, with its order. */
export interface OrderedSource {
  readonly id: string;
  readonly appId: string;
  readonly order: readonly MatchRule[];
}

/** The source of accounts with this id; undefined for none, for a deleted one, for one of a deleted app, and for a source of people. */
export function findOrderedSource(context: Context, id: string): Promise<OrderedSource | undefined> {
  return context.db.maybe<OrderedSource>(
    `SELECT n.id, n.app_id AS "appId", n.match_order AS "order" FROM sources_public n
     JOIN apps_public p ON p.tenant_id = n.tenant_id AND p.id = n.app_id AND p.deleted_at IS NULL
     WHERE n.tenant_id = $1 AND n.id = $2 AND n.deleted_at IS NULL`,
    [context.tenantId, id],
  );
}
