/**
 * Plain requests of a person: method, path and JSON as they are, for tests of what stands on the wire. The typed client is in
 * src/client.
 */
import { expect } from 'vitest';
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

const cookies = new WeakMap<TestPerson, string>();

/** From now on this person works with the cookie of a browser. */
export function workWithCookie(person: TestPerson, cookie: string): TestPerson {
  cookies.set(person, cookie);
  return person;
}

/** From now on this person works with a token that came another way. */
export function workWithToken(person: TestPerson, token: string): TestPerson {
  tokens.set(person, Promise.resolve(token));
  return person;
}

/** The headers by which a person is known. */
export async function headersOf(tenant: ServedTenant, person: TestPerson): Promise<Record<string, string>> {
  const cookie = cookies.get(person);
  return cookie === undefined ? { authorization: `Bearer ${await tokenOf(tenant, person)}` } : { cookie, 'sec-fetch-site': 'same-origin' };
}

/** Sends a request as this person (undefined: without a token), with a JSON body where one is given. */
export async function request(
  tenant: ServedTenant,
  person: TestPerson | undefined,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  // Packed and unpacked in one process, an answer would take twice the time; what browsers get is in test/api/console-routes.test.ts.
  const headers: Record<string, string> = { 'accept-encoding': 'identity', ...(person && (await headersOf(tenant, person))) };
  if (body !== undefined) {
    headers['content-type'] = 'application/json';
  }
  const response = await tenant.fetch(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  return { status: response.status, body: await response.json() };
}

/** The body of an answer that has to be 200. */
export async function requestGood(tenant: ServedTenant, person: TestPerson, method: string, path: string, body?: unknown): Promise<Loose> {
  const answer = await request(tenant, person, method, path, body);
  expect([method, path, answer.status, answer.body.message]).toEqual([method, path, 200, undefined]);
  return answer.body;
}

/** The fields a 400 complains about. */
export function violatedFields(answer: Answer): string[] {
  return (answer.body.details ?? []).flatMap((detail: Loose) => (detail.fieldViolations ?? []).map((violation: Loose) => violation.field));
}
