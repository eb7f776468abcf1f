/**
 * Every operation answers in the shape of the contract, as a client that was generated from it reads it: each declared member there or
 * rightly absent, nothing that is not declared, and errors alike everywhere. The messages are read by a parser that is not ours.
 */
import { fromJson, type JsonValue, type Registry, toJson } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractRoute } from '../../src/http/route-of.ts';
import type { Answer, Loose } from '../support/api.ts';
import { loadContractRegistry } from '../support/contract.ts';
import { listOperations, type Operation, refused, sampleOf, samples, send } from '../support/operations.ts';
import { sampled } from '../support/runs.ts';
import { expectShape } from '../support/stage.ts';
import type { TestServer } from '../support/server.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

const operations = await listOperations();
const named = operations.map((operation) => [operation.name, operation] as const);

/** The reply without expanded objects: their JSON is that of clients of the public API, not that of google.protobuf.Any. */
const withoutExpanded = ({ expanded: _expanded, ...body }: Loose): JsonValue => body;

/** True if a member is null, however deep; a text may spell one. */
function hasNull(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.values(value).some(hasNull));
}

describe('the shape of what every operation answers', () => {
  let server: TestServer;
  let world: World;
  let registry: Registry;

  beforeAll(async () => {
    const made = await startWorld();
    server = made.server;
    world = made.world;
    registry = await loadContractRegistry();
  });
  afterAll(() => server.stop());

  it('is looked at with a sample of each operation, and of nothing else', () => {
    expect(Object.keys(samples).sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  it.each(sampled(named, 3))('%s', async (name, operation) => {
    const answer = await send(server, server.admin, operation, await sampleOf(operation, world, server.admin));
    expectShape(operation, answer, registry);
    if (refused.has(name)) {
      expect([400, 403]).toContain(answer.status);
      return;
    }
    // A refusal says why; some replies have a member of that name too.
    expect([answer.status, answer.status === 200 ? undefined : answer.body.message]).toEqual([200, undefined]);
    // An event is free-form JSON, in which null is a value.
    expect(name !== 'SystemLogService.listEvents' && hasNull(answer.body)).toBe(false);
    const { output } = operation.desc;
    const sent = withoutExpanded(answer.body);
    // What the other parser writes again is what it read, with every default that we write.
    const again = toJson(output, fromJson(output, sent, { registry }), { alwaysEmitImplicit: true, registry });
    expect(withoutZeros(withoutExpanded(again))).toEqual(withoutZeros(sent));
  });

  it.each(
    sampled(
      named.filter(([, { desc }]) => contractRoute(desc).parameters.length > 0),
      6,
    ),
  )('%s of what is not there', async (_name, operation) => {
    const answer = await ofNothing(operation);
    expectShape(operation, answer, registry);
    expect([answer.status, answer.body.code]).toEqual([404, 5]);
    expect(answer.body.message).toMatch(/^[A-Z].*\.$/s);
  });

  /** The operation with unknown ids. */
  async function ofNothing(operation: Operation): Promise<Answer> {
    const sample = await sampleOf(operation, world, server.admin);
    const path = Object.fromEntries(contractRoute(operation.desc).parameters.map((name) => [name, '0'.repeat(27)]));
    return send(server, server.admin, operation, { ...sample, path });
  }
});

/** Times are written with as many digits as needed, by either in its own way. */
function withoutZeros(json: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(json).replace(/"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+?)0*)?Z"/g, '"$1.$2Z"')) as JsonValue;
}
