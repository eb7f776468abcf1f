/**
 * Data other modules may read of the conflicts: a view for each interface, made by a migration. A column that is renamed in its table keeps its
 * name here. The columns are compared with the schema (test/schema.test.ts). Nothing runs here.
 */

/** `monitors_public`: a conflict monitor, also one that is gone (`deleted_at`). `conflict_monitors_pkey` answers by id. */
export interface MonitorPublic {
  readonly tenant_id: string;
  readonly id: string;
  readonly display_name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly negate_group_b: boolean;
  readonly notification_config: unknown;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
}

/**
 * `alerts_public`: conflicting access of one principal, in whatever state. `conflict_alerts_pkey` answers by id,
 * `conflict_alerts_by_principal` by monitor and principal, `conflict_alerts_by_user` by person.
 */
export interface AlertPublic {
  readonly tenant_id: string;
  readonly id: string;
  readonly monitor_id: string;
  readonly principal: string;
  readonly user_id: string;
  readonly app_id: string;
  readonly account_id: string;
  readonly state: string;
  readonly entitlements: unknown;
  readonly activated_at: Date;
  readonly change_id: string;
}
