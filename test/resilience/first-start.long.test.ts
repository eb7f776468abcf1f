/**
 * The very first start, killed at random moments: making the database, its schema, the tenant and the file with the first credential. Whatever
 * was left half-done, the same command again ends with one tenant and a file whose credential works.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { UserService } from '../../src/gen/c1/api/user/v1/user_service_pb.js';
import {
  clientOf,
  killPostmaster,
  makePlace,
  type Place,
  queryDatabase,
  readCredential,
  type ServerProcess,
  startServer,
} from './server-process.ts';

const kills = Number(process.env['COUNTERSIGN_KILLS'] ?? 6);
let place: Place;
let server: ServerProcess | undefined;

afterEach(async () => {
  await server?.end('SIGTERM');
  await place.remove();
});

it('is repaired by the next one', { timeout: 300_000 }, async () => {
  const moments: string[] = [];
  place = await makePlace();
  for (let round = 0; round < kills; round += 1) {
    server = startServer(place);
    // Node itself needs a third of a second, a whole first start two or three.
    const afterMs = Math.round(300 + Math.random() * 2500);
    await Promise.race([delay(afterMs), server.ready().catch(() => undefined)]);
    const withDatabase = round % 2 === 1 && (await killPostmaster(place));
    await server.end('SIGKILL');
    moments.push(`${afterMs} ms${withDatabase ? ' and the database' : ''}`);
  }
  server = startServer(place);
  await server.ready();
  console.log(`killed after ${moments.join(', ')}`);
  const admin = clientOf(place, await readCredential(place));
  expect((await admin.call(UserService.method.list, {})).list).toHaveLength(1);
  const [counted] = await queryDatabase<{ tenants: string; clients: string }>(
    place,
    'SELECT (SELECT count(*) FROM tenants) AS tenants, (SELECT count(*) FROM personal_clients) AS clients',
  );
  expect(counted).toEqual({ tenants: '1', clients: '1' });
});
