/**
 * Views of accounts: each with its place among what was asked for besides.
 */
import type { Context } from '../../../context.ts';
import type { Call } from '../../../wire/service.ts';
import { loadSight } from './sight.ts';
import type { AccountRow } from './store-accounts.ts';
import { shapeAccountView } from './view.ts';

/** The views of these accounts, with what `paths` asks for. */
export async function viewAccounts(context: Context, call: Call, rows: readonly AccountRow[], paths: readonly string[] | undefined) {
  const wanted = [
    { path: 'identity_user_id', type: 'c1.api.user.v1.User', ids: rows.flatMap((row) => row.userId ?? []) },
    { path: 'app_id', type: 'c1.api.app.v1.App', ids: rows.map((row) => row.appId) },
    // A known name for which no message is published: it brings nothing. When a grant was used last stands with the grant.
    { path: 'last_usage', type: 'c1.api.app.v1.AppUserLastUsage', ids: [] },
  ];
  const { expanded, pathOf } = await call.expand(wanted, paths);
  const sight = await loadSight(context);
  return { expanded, list: rows.map((row) => shapeAccountView(sight, row, pathOf)) };
}
