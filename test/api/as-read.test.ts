/** Two people who edit one thing: the later change says what it read, and is refused where that is no longer what stands. */
import { getOption } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takes_as_read } from '../../src/gen/countersign/options_pb.js';
import { type Answer, type Loose, request } from '../support/api.ts';
import { listContractServices } from '../support/contract.ts';
import { type TestPerson, type TestServer, useTestServer } from '../support/server.ts';

let server: TestServer;
let bob: TestPerson;
const admin = async (method: string, path: string, body?: unknown): Promise<Loose> => {
  const answer = await request(server, server.admin, method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};

/** A change that two want to make, each in another way. */
interface Change {
  readonly verb: string;
  readonly path: string;
  /** The change of each, without what they read. */
  readonly bodies: readonly [object, object];
  /** Members of the request as both read them. */
  readonly asRead: object;
  /** Members that the refusal names. */
  readonly changed: string;
}

const makePolicy = async (): Promise<Loose> =>
  (
    await admin('POST', '/api/v1/policies', {
      displayName: 'Managers',
      policyType: 'POLICY_TYPE_CERTIFY',
      policySteps: { certify: { steps: [{ approval: { manager: {} } }] } },
    })
  ).policy;

/** One for each operation that compares what was read. */
const changes: Readonly<Record<string, () => Promise<Change>>> = {
  'c1.api.policy.v1.PolicyService.Update': async () => {
    const policy = await makePolicy();
    const withSteps = (steps: object) => ({ policy: { policySteps: { certify: { steps: [steps] } } }, updateMask: 'policySteps' });
    return {
      verb: 'POST',
      path: `/api/v1/policies/${policy.id}`,
      bodies: [withSteps({ approval: { appOwners: {} } }), withSteps({ approval: { self: {} } })],
      asRead: { policy },
      changed: 'policySteps',
    };
  },
};

beforeAll(async () => {
  server = await useTestServer();
  bob = await server.makePerson('bob@example.com', ['SUPER_ADMINISTRATOR']);
});
afterAll(() => server.stop());

const metadataOf = (answer: Answer): Loose => answer.body.details.find((detail: Loose) => 'metadata' in detail).metadata;

describe('two changes of one thing', () => {
  it('are looked at for every operation that compares', async () => {
    const methods = (await listContractServices()).flatMap((service) => service.methods);
    const names = methods.flatMap((method) => (getOption(method, takes_as_read) ? [`${method.parent.typeName}.${method.name}`] : []));
    expect(Object.keys(changes).sort()).toEqual(names.sort());
  });

  it.each(Object.keys(changes))('%s: of two at once one is made, and the other refused with who was first', async (name) => {
    const { verb, path, bodies, asRead, changed } = await (changes[name] as () => Promise<Change>)();
    const people = [server.admin, bob];
    const answers = await Promise.all(
      bodies.map((body, index) => request(server, people[index] as TestPerson, verb, path, { ...body, asRead })),
    );
    expect(answers.map(({ status }) => status).sort(), JSON.stringify(answers.map(({ body }) => body))).toEqual([200, 409]);
    const refused = answers.findIndex(({ status }) => status === 409);
    const metadata = metadataOf(answers[refused] as Answer);
    expect(metadata).toMatchObject({ changed, changedById: people[1 - refused]?.id, changedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(metadata.changedBy).not.toBe('');
    expect(answers[refused]?.body.message).toContain(metadata.changedBy);
    // Whoever reads nothing, or says nothing of it, is served as ever: the public API's clients.
    expect((await request(server, server.admin, verb, path, bodies[refused])).status).toBe(200);
  });
});

describe('what was read', () => {
  it('matters for the members alone that are changed', async () => {
    const policy = await makePolicy();
    const path = `/api/v1/policies/${policy.id}`;
    await admin('POST', path, { policy: { description: 'ours' }, updateMask: 'description', asRead: { policy } });
    const { policy: after } = await admin('POST', path, {
      policy: { displayName: 'Chiefs' },
      updateMask: 'displayName',
      asRead: { policy },
    });
    expect(after).toMatchObject({ description: 'ours', displayName: 'Chiefs' });
  });

  it('may be what nobody has changed, or what is wanted already', async () => {
    const policy = await makePolicy();
    const path = `/api/v1/policies/${policy.id}`;
    const body = { policy: { description: 'ours' }, updateMask: 'description', as_read: { policy } };
    await admin('POST', path, body);
    await admin('POST', path, body);
  });

  it('is refused where it is no such request', async () => {
    const { id } = await makePolicy();
    const answer = await request(server, server.admin, 'POST', `/api/v1/policies/${id}`, {
      policy: { description: 'ours' },
      asRead: { policy: { description: 7 } },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain('asRead.policy.description');
  });
});
