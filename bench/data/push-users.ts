/**
 * Users that an identity provider pushed over SCIM: for searches, and for how much memory the list of all of them takes.
 */
import type { World } from './world.ts';

/** Number of users pushed. */
export const pushedUsers = 10_000;

/** Sends a request to the service, as the administrator where no other token is given, and answers its JSON. */
export async function send(
  world: World,
  method: string,
  path: string,
  body: object,
  token?: string,
): Promise<Record<string, Record<string, string>>> {
  const response = await fetch(`${world.server.url}/${path}`, {
    method,
    headers: { authorization: `Bearer ${token ?? (await world.server.admin.token())}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 200 && response.status !== 201) {
    throw new Error(`${path}: ${response.status} ${(await response.text()).slice(0, 300)}`);
  }
  return (await response.json()) as Record<string, Record<string, string>>;
}

/** The provider's connector, and its token. */
export interface Pushed {
  readonly connector: string;
  readonly scimToken: string;
}

const known = new WeakMap<World, Promise<Pushed>>();

/** Pushes the users: one over the wire, the others as its likeness. Once for each world. */
export function pushUsers(world: World): Promise<Pushed> {
  const pushed = known.get(world) ?? pushOnce(world);
  known.set(world, pushed);
  return pushed;
}

async function pushOnce(world: World): Promise<Pushed> {
  const app = (await send(world, 'POST', 'api/v1/apps', { displayName: 'Pushed' })).app?.id;
  const made = await send(world, 'POST', `api/v1/apps/${app}/scim`, {});
  const [connector, scimToken] = [made.source?.id ?? '', String(made.token)];
  const user = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: 'pushed0',
    externalId: 'ext-0',
    displayName: 'Pushed 0',
  };
  await send(world, 'POST', 'scim/v2/Users', user, scimToken);
  const superuser = await world.server.superuser();
  try {
    await superuser.query(
      `INSERT INTO scim_resources (tenant_id, source_id, id, kind, name_key, external_id, is_active, keys, document, version, user_id, created_at, updated_at)
       SELECT r.tenant_id, r.source_id, left(r.id, 19) || lpad(s.n::text, 8, '0'), r.kind, 'pushed' || s.n, 'ext-' || s.n, s.n % 20 > 0,
         r.keys || jsonb_build_object('displayname', 'pushed ' || s.n),
         r.document || jsonb_build_object('userName', 'pushed' || s.n, 'externalId', 'ext-' || s.n, 'displayName', 'Pushed ' || s.n),
         1, u.id, r.created_at, r.updated_at
       FROM scim_resources r, generate_series(1, ${pushedUsers - 1}) AS s (n)
       JOIN (SELECT id, row_number() OVER (ORDER BY id DESC) AS number FROM users) u ON u.number = 1 + s.n % (SELECT count(*) FROM users)
       WHERE r.source_id = $1`,
      [connector],
    );
    await superuser.query('VACUUM ANALYZE scim_resources');
  } finally {
    await superuser.end();
  }
  return { connector, scimToken };
}
