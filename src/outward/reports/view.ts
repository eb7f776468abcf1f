/** Reports as the API shows them, with links to those that are done. */
import { orThrow } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { findTenant } from '../../foundation/tenants/index.ts';
import { signLink } from './links/index.ts';
import type { ReportRow } from './store.ts';

/** The rows with a link each; it is empty until there is a file. `baseUrl` is scheme and host as the client reached us. */
export async function withLinks<Row extends ReportRow>(context: Context, baseUrl: string, rows: readonly Row[]) {
  const tenant = orThrow(await findTenant(context.db, context.tenantId), 'NOT_FOUND', 'There is no such tenant.');
  return rows.map((row) => ({
    ...row,
    accessReviewId: row.reviewId,
    downloadUrl: row.state === 'OK' ? signLink(tenant.secret, baseUrl, row.id, context.now) : '',
  }));
}
