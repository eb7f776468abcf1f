/**
 * The peer of the reading figures: a fastify handler that runs the same SQL with the same values, as the same role with row-level security, and
 * sends JSON.stringify of an object that is the same as our reply. No authentication, no parsing, no shaping of rows. Started as a process of
 * its own; prints its port.
 *
 * First argument: a file with JSON {host, tenantId, statements: [{text, values}], reply}.
 */
import { readFileSync } from 'node:fs';
import fastify from 'fastify';
import pg from 'pg';

const {
  host,
  tenantId,
  statements,
  reply: same,
} = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as {
  host: string;
  tenantId: string;
  statements: { text: string; values: unknown[] }[];
  reply: unknown;
};
const pool = new pg.Pool({
  host,
  port: 5432,
  user: 'countersign_app',
  database: 'countersign',
  max: 16,
  options: `-c search_path=countersign,public -c timezone=UTC -c countersign.tenant_id=${tenantId}`,
});
const named = statements.map((statement, index) => ({ ...statement, name: `statement_${index}` }));

const app = fastify();
app.get('/', async (_, reply) => {
  for (const statement of named) {
    await pool.query(statement);
  }
  return reply.header('content-type', 'application/json').send(JSON.stringify(same));
});
const address = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${new URL(address).port}\n`);
