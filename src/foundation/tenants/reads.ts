/**
 * Data other modules may read of the tenants: a view for each interface, made by a migration. A column that is renamed in its table keeps its name
 * here. The columns are compared with the schema (test/schema.test.ts). Nothing runs here.
 */

/** `tenants_public`: a tenant, also one that is gone (`deleted_at`). `tenants_pkey` answers by tenant. */
export interface TenantPublic {
  readonly tenant_id: string;
  readonly display_name: string;
  readonly issued_credentials_allowed: boolean;
  readonly created_at: Date;
  readonly deleted_at: Date | null;
  readonly issued_answers: string;
}
