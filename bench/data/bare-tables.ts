/**
 * Tables of peers: our columns, and the indexes that anybody needs who keeps such rows. None of the other indexes of ours is there, so that what
 * these cost shows in the ratio.
 */
import type pg from 'pg';

/** Keys of each table's peer: its primary key, and its other indexes. */
const keys: Readonly<Record<string, { readonly primaryKey: string; readonly indexes: readonly string[] }>> = {
  tasks: {
    primaryKey: 'tenant_id, id',
    // One per grant, by review, by assignment.
    indexes: [
      'UNIQUE (tenant_id, review_id, account_id, entitlement_id)',
      '(tenant_id, review_id, id)',
      '(tenant_id, assignment_id, state, id)',
    ],
  },
  resource_types: { primaryKey: 'tenant_id, app_id, id', indexes: [] },
  resources: { primaryKey: 'tenant_id, app_id, id', indexes: [] },
  entitlements: { primaryKey: 'tenant_id, app_id, id', indexes: [] },
  accounts: { primaryKey: 'tenant_id, app_id, id', indexes: ['UNIQUE (tenant_id, app_id, external_id)', '(tenant_id, user_id)'] },
  grants: {
    primaryKey: 'tenant_id, app_id, entitlement_id, account_id, added_revision',
    indexes: ['(tenant_id, app_id, account_id)'],
  },
};

/** Makes an empty table in the schema `bench` with the columns of one of ours. Its primary key and indexes are those of the list above. */
export async function createBareTable(client: pg.Client, table: string): Promise<void> {
  const { primaryKey, indexes } = keys[table] ?? { primaryKey: 'tenant_id, id', indexes: [] };
  await client.query(`CREATE SCHEMA IF NOT EXISTS bench; CREATE TABLE bench.${table} (LIKE countersign.${table} INCLUDING GENERATED);
    ALTER TABLE bench.${table} ADD PRIMARY KEY (${primaryKey})`);
  for (const index of indexes) {
    const columns = index.replace('UNIQUE ', '');
    await client.query(`CREATE ${columns === index ? '' : 'UNIQUE '}INDEX ON bench.${table} ${columns}`);
  }
}
