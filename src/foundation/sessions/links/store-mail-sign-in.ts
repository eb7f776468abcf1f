/** SQL of who may sign in by mail: the table `mail_sign_in_settings`. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';

/** People who may sign in with a link by mail (`mail_sign_in_settings.who`). */
export type MailSignIn = 'EVERYBODY' | 'NO_ADMINISTRATORS' | 'NOBODY';

/** Setting of the tenant, if any, and whether an identity provider is active. */
export interface MailSignInState {
  readonly set: MailSignIn | null;
  readonly hasProvider: boolean;
}

/** The setting, and what it depends on. */
export function findMailSignIn(context: Context): Promise<MailSignInState> {
  return context.db.one<MailSignInState>(
    sql`SELECT (SELECT m.who FROM mail_sign_in_settings m WHERE m.tenant_id = ${context.tenantId}) AS set,
      EXISTS (SELECT FROM auth_configs c WHERE c.tenant_id = ${context.tenantId}
        AND c.document ->> 'status' IS DISTINCT FROM 'AUTH_CONFIG_STATUS_DISABLED') AS "hasProvider"`,
  );
}

/** Sets who may; undefined for what follows from the providers. */
export async function updateMailSignIn(context: Context, who: MailSignIn | undefined): Promise<void> {
  const { db, tenantId, now } = context;
  await (who === undefined
    ? db.run(sql`DELETE FROM mail_sign_in_settings WHERE tenant_id = ${tenantId}`)
    : db.run(
        sql`INSERT INTO mail_sign_in_settings (tenant_id, who, updated_at) VALUES (${tenantId}, ${who}, ${now})
          ON CONFLICT (tenant_id) DO UPDATE SET who = excluded.who, updated_at = excluded.updated_at`,
      ));
}
