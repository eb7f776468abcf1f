/** A database from before the log: its events keep their order, get a salt and their review each, and are sealed. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from '../../../test/support/database.ts';
import { openDatabaseBefore } from '../../../test/support/upgrade.ts';
import { type Context, noReactions, silentLogger, systemActor } from '../../context.ts';
import { migrate } from '../../db/migrate.ts';
import { listEvents } from './list-events.ts';

const tenantId = 'TenantFromBefore'.padEnd(27, '0');
const now = new Date('2026-03-01T12:00:00.000Z');
let test: TestDatabase;

beforeAll(async () => {
  test = await openDatabaseBefore('_event_log.sql');
});
afterAll(() => test.close());

it('keeps its events in the order of their ids, whatever order they lie in', async () => {
  const ids = ['e1', 'e2', 'e3', 'e4'].map((id) => id.padEnd(27, '0'));
  const [e1 = '', e2 = '', e3 = '', e4 = ''] = ids;
  await test.admin(`INSERT INTO tenants (tenant_id, display_name, secret, created_at) VALUES ($1, 'Old', sha256(''), $2)`, [tenantId, now]);
  await test.admin(`INSERT INTO tenant_hosts (tenant_id, host, created_at) VALUES ($1, 'old.example:8080', $2)`, [tenantId, now]);
  await test.admin(
    `INSERT INTO events (tenant_id, id, occurred_at, kind, actor_kind, target_type, target_id, data) VALUES
      ($1, $5, $6, 'review.closed', 'system', 'access_review', 'r1', '{}'), ($1, $3, $6, 'task.denied', 'user', 'task', 't1', '{"reviewId": "r1"}'),
      ($1, $2, $6, 'review.started', 'system', 'access_review', 'r1', '{"share": 0.25}'), ($1, $4, $6, 'app.created', 'user', 'app', 'a1', '{}')`,
    [tenantId, e1, e2, e3, e4, now],
  );
  await migrate(test.database, silentLogger);
  const rows = await test.admin('SELECT review_id AS review, salt, seq::int FROM events ORDER BY id');
  expect(rows.map(({ review }) => review)).toEqual(['r1', 'r1', '', 'r1']);
  expect(new Set(rows.map(({ salt }) => salt)).size).toBe(4);
  expect(rows.map(({ seq }) => seq)).toEqual([0, 0, 0, 0]);

  const context: Context = {
    db: test.database.tenant(tenantId),
    tenantId,
    actor: systemActor('test'),
    now,
    log: silentLogger,
    react: noReactions,
  };
  const query = { since: undefined, until: undefined, sinceEventUid: '', untilEventUid: '', descending: false };
  const { events, origin } = await listEvents(context, query, undefined, 10);
  expect(origin).toBe(`old.example:8080/log/${tenantId}/1`);
  expect(events.map(({ id, position }) => [id, position])).toEqual(ids.map((id, position) => [id, position]));
  expect(await test.admin('SELECT number, position::int FROM log_reviews')).toEqual([{ number: 3, position: 3 }]);
  // A page token of the release before holds the id of an event.
  const next = await listEvents(context, query, e2, 10);
  expect(next.events.map(({ id }) => id)).toEqual([e3, e4]);
});
