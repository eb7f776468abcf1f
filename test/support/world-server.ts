/**
 * A server with a World in it, for the price of copying a database: the first file of a run that asks makes the world (some seconds) and keeps its
 * database as a template; every other file, in whichever process, copies that.
 */
import pg from 'pg';
import { inject } from 'vitest';
import { openTestDatabase } from './database.ts';
import { requireReactions } from './heard-changes.ts';
import { requireCatalogue } from './kept-events.ts';
import { untilAtRest } from './until-at-rest.ts';
import { type MadeTenant, startTestServer, type TestServer, type TestServerOptions } from './server.ts';
import { describeWorld, enterWorld, makeWorld, type World, type WorldData } from './world.ts';

/** The template, and what a copy needs to know. */
interface KeptWorld {
  readonly template: string;
  readonly tenant: MadeTenant;
  readonly world: WorldData;
}

/** One process at a time makes the template. */
const lockKey = 4_711;

/** Starts a server with a world as its first tenant; call `stop` in afterAll. */
export async function startWorld(options: TestServerOptions = {}): Promise<{ server: TestServer; world: World }> {
  const { template, tenant, world } = await keepWorld();
  const test = await openTestDatabase({ template });
  const server = await startTestServer({ ...options, test, tenant });
  const moved = JSON.parse(JSON.stringify(world).replaceAll(tenant.host, server.host)) as WorldData;
  const stop = async (): Promise<void> => {
    await server.stop();
    await test.close();
  };
  return { server: { ...server, stop }, world: enterWorld(server, moved) };
}

/** The template of this run; makes it where no file has. What a copy needs to know is the comment of its database, and goes with it. */
async function keepWorld(): Promise<KeptWorld> {
  const { adminUrl, template: ofRun } = inject('testServer');
  const template = `${ofRun}_world`;
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query('SELECT pg_advisory_lock($1)', [lockKey]);
    const { rows } = await admin.query<{ world: string | null }>(
      "SELECT shobj_description(oid, 'pg_database') AS world FROM pg_database WHERE datname = $1",
      [template],
    );
    const known = rows[0]?.world ?? undefined;
    if (known !== undefined) {
      return { template, ...(JSON.parse(known) as Omit<KeptWorld, 'template'>) };
    }
    const { name, ...made } = await makeTemplate();
    await admin.query(`COMMENT ON DATABASE ${admin.escapeIdentifier(name)} IS ${admin.escapeLiteral(JSON.stringify(made))}`);
    await admin.query(`ALTER DATABASE ${admin.escapeIdentifier(name)} RENAME TO ${admin.escapeIdentifier(template)}`);
    return { template, ...made };
  } finally {
    await admin.end();
  }
}

/** Makes a world on a server of its own, which ends once nothing is done in its background any more; its database stays. */
async function makeTemplate(): Promise<Omit<KeptWorld, 'template'> & { readonly name: string }> {
  const test = await openTestDatabase();
  // A server with a database of somebody else's leaves this to them; each copy has it.
  await requireReactions(test);
  await requireCatalogue(test);
  const server = await startTestServer({ test });
  const world = describeWorld(await makeWorld(server));
  await untilAtRest(test);
  await server.stop();
  const name = await test.leave();
  const { id, host, admin } = server;
  return { name, tenant: { id, host, adminId: admin.id, adminEmail: admin.email, credential: admin.credential }, world };
}
