/** The examples of the OpenAPI document, sent as they are: what a reader pastes works. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { person, requestExamples } from '../../src/http/openapi/request-examples.ts';
import { request } from '../support/api.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await useTestServer();
});
afterAll(() => server.stop());

describe('an example of the OpenAPI document', () => {
  it('is accepted, with the id of a person in place of the one that is shown', async () => {
    const document = await (await server.fetch('/openapi.json')).text();
    const api = JSON.parse(document) as { paths: Record<string, Record<string, { operationId: string }>> };
    const { body } = await request(server, server.admin, 'GET', '/api/v1/auth/introspect');
    const operations = Object.entries(api.paths).flatMap(([path, verbs]) =>
      Object.entries(verbs).map(([verb, { operationId }]) => ({ path, verb: verb.toUpperCase(), operationId })),
    );
    let sent = 0;
    for (const { path, verb, operationId } of operations.filter((one) => !one.path.includes('{'))) {
      for (const [name, { value }] of Object.entries(requestExamples[operationId] ?? {})) {
        const content = JSON.parse(JSON.stringify(value).replaceAll(person, body.userId));
        const { status } = await request(server, server.admin, verb, path, content);
        expect([operationId, name, status]).toEqual([operationId, name, 200]);
        sent += 1;
      }
    }
    expect(sent).toBeGreaterThan(5);
  });
});
