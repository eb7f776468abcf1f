/**
 * Data other modules may read of the classifications: a view for each interface, made by a migration. A column that is renamed in its table keeps
 * its name here. The columns are compared with the schema (test/schema.test.ts). Nothing runs here.
 */

/**
 * `classifications_public`: a risk level or a compliance framework, also one that is gone (`deleted_at`). `classification_values_pkey`
 * answers by id.
 */
export interface ClassificationPublic {
  readonly tenant_id: string;
  readonly id: string;
  readonly attribute_type_id: string;
  readonly value: string;
  readonly created_at: Date;
  readonly deleted_at: Date | null;
}
