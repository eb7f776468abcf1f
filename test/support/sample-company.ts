/** A test server with the sample company of the demo, its review running: what a newcomer sees after `npm run demo`. */
import { PassThrough } from 'node:stream';
import { type LoadedDemo, loadSampleCompany } from '../../src/cli/local/demo-load.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts';

/** The server, and who does what in the sample company. */
export interface SampleCompany extends TestServer, LoadedDemo {
  /** The person who is asked most in the running review. */
  readonly reviewerId: string;
}

/** Starts it; call `stop` in afterAll. */
export async function startSampleCompany(options: TestServerOptions = {}): Promise<SampleCompany> {
  const server = await startTestServer(options);
  const nowhere = new PassThrough().resume();
  const io = { env: {}, stdin: new PassThrough(), stdout: nowhere, stderr: nowhere, signal: new AbortController().signal };
  await server.test.admin('UPDATE tenants SET display_name = $2 WHERE tenant_id = $1', [server.id, 'Sample Company']);
  const loaded = await loadSampleCompany(io, server.admin.client, () => undefined);
  const [most] = await server.system().db.rows<{ id: string }>(
    `SELECT m.user_id AS id FROM tasks t JOIN task_assignment_members m ON m.tenant_id = t.tenant_id AND m.assignment_id = t.assignment_id
     WHERE t.tenant_id = $1 AND t.review_id = $2 AND m.user_id <> $3 GROUP BY m.user_id ORDER BY count(*) DESC, m.user_id LIMIT 1`,
    [server.id, loaded.review.id, loaded.userId],
  );
  return { ...server, ...loaded, reviewerId: most?.id ?? '' };
}
