/**
 * Plain requests of a person: method, path and JSON as they are, for tests of what stands on the wire. The typed client is in
 * src/client.
 */
import type { ServedTenant, TestPerson } from './server.ts';

/** JSON that a test reads into as it pleases. */
export type Loose = any; // no type of ours can be trusted here: the wire itself is what is tested

/** An answer: its status and its JSON. */
export interface Answer {
  readonly status: number;
  readonly body: Loose;
}

const tokens = new WeakMap<TestPerson, Promise<string>>();

async function fetchToken(tenant: ServedTenant, person: TestPerson): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: person.credential.clientId,
    client_secret: person.credential.clientSecret,
  });
  const response = await tenant.fetch('/auth/v1/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: body.toString(),
  });
  const { access_token: token } = (await response.json()) as { access_token?: string };
  if (token === undefined) {
    throw new Error(`no token: ${response.status}`);
  }
  return token;
}

/** An access token of this person, fetched once. */
export function tokenOf(tenant: ServedTenant, person: TestPerson): Promise<string> {
  const token = tokens.get(person) ?? fetchToken(tenant, person);
  tokens.set(person, token);
  return token;
}

/** Sends a request as this person (undefined: without a token), with a JSON body where one is given. */
export async function request(
  tenant: ServedTenant,
  person: TestPerson | undefined,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const headers: Record<string, string> = person === undefined ? {} : { authorization: `Bearer ${await tokenOf(tenant, person)}` };
  if (body !== undefined) {
    headers['content-type'] = 'application/json';
  }
  const response = await tenant.fetch(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  return { status: response.status, body: await response.json() };
}

/** The fields a 400 complains about. */
export function violatedFields(answer: Answer): string[] {
  return (answer.body.details ?? []).flatMap((detail: Loose) => (detail.fieldViolations ?? []).map((violation: Loose) => violation.field));
}
