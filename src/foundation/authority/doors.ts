/**
 * The doors beside the contract: every route of the server that is no operation of it, and what opens it. The server starts with no other route, and
 * docs/authority.md lists them.
 */

/** Things that open a door. */
const keys = {
  NOTHING: 'everybody, unasked',
  OPERATOR: 'requests from the machine it runs on; others where the operator says so (`--metrics-token`, `--public-docs yes`)',
  SECRET: 'whoever has the secret that the request carries: of a credential, a link, a code, or a redirect',
  PUBLISHED: 'everybody where the tenant publishes its log; nobody elsewhere',
  SESSION: 'people signed in with a browser, by its cookie; no token',
  SCIM_TOKEN: 'the SCIM token of a source, for what that source reaches; nobody else, administrators included',
} as const;

/** Name of what opens a door. */
export type DoorKey = keyof typeof keys;

/** A route beside the contract. */
export interface Door {
  readonly methods: readonly string[];
  /** As the router writes it; a star at its end is anything. */
  readonly path: string;
  readonly key: DoorKey;
  /** Its use, in words. */
  readonly use: string;
}

const door = (key: DoorKey, methods: string, path: string, use: string): Door => ({ methods: methods.split(' '), path, key, use });

/** The methods below /scim/v2 that have no door of their own; they are refused. */
const refusedMethods = 'GET POST PUT PATCH DELETE OPTIONS';

/** All of them. */
export const doors: readonly Door[] = [
  door('NOTHING', 'GET', '/healthz', 'says that the program runs'),
  door('NOTHING', 'GET', '/readyz', 'says whether requests can be served'),
  door('OPERATOR', 'GET', '/metrics', 'figures of the whole installation, of no person'),
  door('OPERATOR', 'GET', '/docs', 'the API browser'),
  door('OPERATOR', 'GET', '/docs/docs.js', 'the API browser'),
  door('NOTHING', 'GET', '/docs/page.css', 'looks of the plain pages'),
  door('NOTHING', 'GET', '/openapi.json', 'the description of the API'),
  door('NOTHING', 'GET', '/assets/*', 'files of the console'),
  door('NOTHING', 'GET', '/icon.svg', 'files of the console'),
  door('NOTHING', 'GET', '/theme.js', 'files of the console'),
  ...['/', '/reviews/:id', '/templates/:id', '/conflicts/:id', '/revocations'].map((path) =>
    door('NOTHING', 'GET', path, 'an empty page that asks the API; the console answers other addresses with it, too'),
  ),
  door('SECRET', 'POST', '/auth/v1/token', 'access tokens for credentials, connectors and confirmed terminals'),
  door('NOTHING', 'GET PUT PATCH DELETE', '/auth/v1/token', 'refuses: tokens are asked for with POST'),
  door('NOTHING', 'GET', '/.well-known/jwks.json', 'public keys of the tenant'),
  door('NOTHING', 'GET', '/auth/v1/jwks', 'public keys of the tenant'),
  door('NOTHING', 'GET', '/.well-known/oauth-authorization-server', 'where tokens are asked for'),
  door('NOTHING', 'POST', '/auth/v1/device_authorization', 'begins a sign-in from a terminal, which a person has to confirm'),
  door('SESSION', 'GET', '/auth/device', 'shows the terminal that asks'),
  door('SESSION', 'POST', '/auth/device', 'confirms or refuses it'),
  door('NOTHING', 'GET', '/auth/providers', 'name of the tenant, and the ways to sign in'),
  door('NOTHING', 'POST', '/auth/link', 'sends a link by mail to a person with this address, and says the same where there is none'),
  door('SECRET', 'POST', '/auth/link/open', 'signs in'),
  door('NOTHING', 'GET', '/auth/sign-in/:provider', 'goes to the identity provider'),
  door('SECRET', 'GET', '/auth/callback/:provider', 'comes back from it and signs in'),
  door('SECRET', 'GET', '/auth/step-up/callback', 'comes back from it for a signature'),
  door('NOTHING', 'POST', '/auth/sign-out', 'ends the session of the browser that asks'),
  door('SECRET', 'GET', '/reports/:id', 'the file of a report; links last 15 minutes, and `AccessReviewReportService.list` makes them'),
  door('PUBLISHED', 'GET', '/log/*', 'checkpoint and hashes of the event log'),
  ...['Users', 'Groups'].flatMap((kind) => [
    door('SCIM_TOKEN', 'GET POST', `/scim/v2/${kind}`, 'lists and makes what the source pushes'),
    door('SCIM_TOKEN', 'POST', `/scim/v2/${kind}/.search`, 'lists what the source pushed'),
    door('SCIM_TOKEN', 'GET PUT PATCH DELETE', `/scim/v2/${kind}/:id`, 'reads and changes what the source pushed'),
  ]),
  ...['ServiceProviderConfig', 'ResourceTypes', 'ResourceTypes/:id', 'Schemas', 'Schemas/:id'].map((path) =>
    door('SCIM_TOKEN', 'GET', `/scim/v2/${path}`, 'describes the service'),
  ),
  ...['/scim/v2', '/scim/v2/', '/scim/v2/*'].map((path) => door('SCIM_TOKEN', refusedMethods, path, 'refuses all else')),
];

/** The door of a route beside the contract; undefined for a route that nobody listed. */
export function findDoor(method: string, path: string): Door | undefined {
  const asked = method === 'HEAD' ? 'GET' : method;
  const found = doors.filter(({ methods }) => methods.includes(asked));
  // Below /scim/v2 a star is a route of its own: it stands for no other.
  return found.find((one) => one.path === path) ?? found.find((one) => one.path === '/assets/*' && path.startsWith('/assets/'));
}

/** The doors as a table of Markdown, and what opens them. */
export function describeDoors(): string {
  const uses = new Map<string, Door[]>();
  for (const one of doors) {
    const key = `${one.key} ${one.use}`;
    uses.set(key, [...(uses.get(key) ?? []), one]);
  }
  const rows = [...uses.values()].map((same) => {
    const addresses = same.map(({ methods, path }) => `\`${methods.join(' ')} ${path}\``).join('<br>');
    const [{ key, use }] = same as [Door];
    return `| ${addresses} | ${use} | ${key} |`;
  });
  const legend = Object.entries(keys).map(([name, words]) => `| ${name} | ${words} |`);
  return ['| Key | Opens for |', '| --- | --- |', ...legend, '', '| Door | What for | Key |', '| --- | --- | --- |', ...rows].join('\n');
}
