/**
 * Requests that are well-formed and far too much: lists of a hundred thousand values, words and texts that fill a body. Each is answered at
 * once, says which field, and leaves the server as fast as it was. What is not well-formed is in hostile-json.test.ts.
 */
import { type DescField, type DescMessage, getOption } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { streamed_body } from '../../src/gen/countersign/options_pb.js';
import { contractRoute } from '../../src/http/route-of.ts';
import { type Answer, request, violatedFields } from '../support/api.ts';
import { listOperations, type Operation, sampleOf } from '../support/operations.ts';
import { processorTimeOf } from '../support/processor-time.ts';
import type { TestServer } from '../support/server.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

const operations = (await listOperations()).filter(({ desc }) => !getOption(desc, streamed_body) && contractRoute(desc).hasBody);

/** A field of a request by its path in JSON, with what is above it. */
interface Place {
  readonly path: string;
  readonly field: DescField;
}

/** The fields of a message and of the messages directly in it. */
function placesOf(desc: DescMessage, wanted: (field: DescField) => boolean, prefix = '', depth = 0): Place[] {
  return desc.fields.flatMap((field) => {
    const path = `${prefix}${field.jsonName}`;
    const inner =
      depth < 1 && field.fieldKind === 'message' && !field.message.typeName.startsWith('google.')
        ? placesOf(field.message, wanted, `${path}.`, depth + 1)
        : [];
    return wanted(field) ? [{ path, field }, ...inner] : inner;
  });
}

/** `fields` with a value at a path. */
function put(fields: object, path: string, value: unknown): object {
  const [first = '', ...rest] = path.split('.');
  const inner = (fields as Record<string, object>)[first];
  return { ...fields, [first]: rest.length === 0 ? value : put(inner ?? {}, rest.join('.'), value) };
}

const isLongList = (field: DescField): boolean =>
  field.fieldKind === 'list' && (field.listKind === 'message' || (field.listKind === 'scalar' && field.scalar === 9));
const isText = (field: DescField): boolean => field.fieldKind === 'scalar' && field.scalar === 9;
const named = operations.map((operation) => [operation.name, operation] as const);

/** As long as a text may be, and hard to look for. */
const longTexts = ['x'.repeat(65_000), 'ab '.repeat(21_000), '%_\\'.repeat(21_000), '(a+)+$'.repeat(10_000)];

describe('too much of everything', () => {
  let server: TestServer;
  let world: World;

  beforeAll(async () => {
    const made = await startWorld();
    server = made.server;
    world = made.world;
  });
  afterAll(() => server.stop());

  /** An answer, and the processor time that this process, which is the server too, took for it. */
  async function work(ask: () => Promise<Answer>): Promise<{ answer: Answer; milliseconds: number }> {
    let answer: Answer = { status: 0, body: undefined };
    const milliseconds = await processorTimeOf(async () => {
      answer = await ask();
    });
    return { answer, milliseconds };
  }

  /** Sends a good request with something else at one place, and expects an answer of a fair size for fair work. */
  async function sendWith(operation: Operation, { path: place }: Place, value: unknown): Promise<Answer> {
    const sample = await sampleOf(operation, world, server.admin);
    const { verb, template } = contractRoute(operation.desc);
    const path = template.replace(/\{([a-z0-9_]+)\}/g, (_all, name: string) => sample.path?.[name] ?? '');
    const { answer, milliseconds } = await work(() => request(server, server.admin, verb, path, put(sample.fields ?? {}, place, value)));
    expect([place, [200, 400, 403, 404, 409].includes(answer.status) ? '' : answer.body]).toEqual([place, '']);
    expect([place, milliseconds < 10_000 ? 'cheap' : `${milliseconds} ms of work`]).toEqual([place, 'cheap']);
    // What was taken may come back as it was sent.
    const size = JSON.stringify(answer.body).length;
    expect([place, size < (answer.status === 200 ? 1_100_000 : 50_000) ? 'short' : size]).toEqual([place, 'short']);
    return answer;
  }

  const lists = named.filter(([, { desc }]) => placesOf(desc.input, isLongList).length > 0);
  const texts = named.filter(([, { desc }]) => placesOf(desc.input, isText).length > 0);

  // The sample has the settings of another kind of provider.
  const besides: Readonly<Record<string, readonly string[]>> = { 'StepUpProviderService.create': ['settings'] };

  it.each(lists)('%s: lists of as many as are read, and of 100,000', async (_name, operation) => {
    const places = placesOf(operation.desc.input, isLongList);
    for (const place of places) {
      const isMessage = place.field.fieldKind === 'list' && place.field.listKind === 'message';
      const listOf = (count: number): unknown[] => Array.from({ length: count }, (_, n) => (isMessage ? {} : `${n}`));
      await sendWith(operation, place, listOf(operation.isList ? 1000 : 45_000));
      if (place === places[0]) {
        const { status, body } = await sendWith(operation, place, listOf(100_000));
        expect([status, violatedFields({ status, body }), body.code]).toEqual([400, [place.path, ...(besides[operation.name] ?? [])], 3]);
      }
    }
  });

  it.each(texts)('%s: texts as long as are read', async (_name, operation) => {
    const places = placesOf(operation.desc.input, isText);
    // What searches look for is looked for one by one.
    for (const [index, place] of (operation.isList ? places : places.slice(0, 2)).entries()) {
      await sendWith(operation, place, longTexts[index % longTexts.length]);
    }
  });

  it('longer texts are refused, naming the field', async () => {
    const answer = await request(server, server.admin, 'POST', '/api/v1/search/users', { query: 'x'.repeat(70_000) });
    expect([answer.status, violatedFields(answer)]).toEqual([400, ['query']]);
  });

  it('leaves the server as it was', async () => {
    const { answer, milliseconds } = await work(() => world.call(server.admin, 'GET', '/api/v1/apps'));
    expect([answer.status, answer.body.list.length > 0]).toEqual([200, true]);
    expect(milliseconds).toBeLessThan(5000);
  });
});
