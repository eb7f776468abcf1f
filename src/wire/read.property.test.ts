/** Rules for every request of the contract, whatever it contains. */
import { type DescMessage, equals, fromJson, type JsonObject, toJson } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { requestOf, respell } from '../../test/support/arbitrary-request.ts';
import { listRequestMessages } from '../../test/support/contract.ts';
import { AppError } from '../errors.ts';
import { readQuery } from './read-query.ts';
import { readRequest } from './read.ts';

let messages: DescMessage[];

beforeAll(async () => {
  messages = await listRequestMessages();
});

/** A message of the contract and a request of it. */
const anyRequest = (): fc.Arbitrary<readonly [DescMessage, JsonObject]> =>
  fc.constantFrom(...messages).chain((desc) => fc.tuple(fc.constant(desc), requestOf(desc)));

describe('any request the contract allows', () => {
  it('survives a round trip', () => {
    fc.assert(
      fc.property(anyRequest(), ([desc, json]) => {
        const { message, sent } = readRequest(desc, structuredClone(json));
        expect(sent).toEqual(json);
        expect(readRequest(desc, sent).sent).toEqual(sent);
        expect(equals(desc, fromJson(desc, toJson(desc, message)), message)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('means the same in its other spelling', () => {
    fc.assert(
      fc.property(anyRequest(), ([desc, json]) => {
        expect(readRequest(desc, respell(desc, json)).sent).toEqual(json);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('two members of a oneof', () => {
  it('are refused wherever they stand, naming both', () => {
    for (const desc of reachable(messages)) {
      for (const oneof of desc.oneofs) {
        const [first, second] = oneof.fields;
        if (first === undefined || second === undefined || first.message === undefined || second.message === undefined) {
          continue;
        }
        const error = refusalOf(desc, { [first.jsonName]: emptyOf(first.message), [second.name]: emptyOf(second.message) });
        expect(error.status).toBe(400);
        expect(error.message).toContain(first.jsonName);
        expect(error.message).toContain(second.jsonName);
        expect(error.violations).toHaveLength(1);
        expect(() => readRequest(desc, { [first.jsonName]: null, [second.name]: null })).not.toThrow();
      }
    }
  });
});

describe('anything at all', () => {
  const names = (desc: DescMessage): string[] => [
    ...desc.fields.flatMap((field) => [field.name, field.jsonName]),
    '__proto__',
    'constructor',
    'toString',
  ];

  it('is read or refused with a 400 that says where', () => {
    const anything = fc.constantFrom(...messages).chain((desc) => {
      const members = fc.array(fc.tuple(fc.constantFrom(...names(desc)), fc.oneof(fc.jsonValue(), requestOf(desc))), { maxLength: 6 });
      // JSON.parse, as in a request: __proto__ is a member like any other there.
      const object = members.map(
        (entries) =>
          JSON.parse(`{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`) as unknown,
      );
      return fc.tuple(fc.constant(desc), fc.oneof(object, fc.jsonValue()));
    });
    fc.assert(
      fc.property(anything, ([desc, json]) => {
        try {
          const { sent } = readRequest(desc, json);
          expect(Object.getPrototypeOf(sent)).toBe(Object.prototype);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          expect((error as AppError).status).toBe(400);
          expect((error as AppError).violations?.length).toBeGreaterThan(0);
        }
        expect(({} as { a?: unknown }).a).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });

  it('is read or refused from a query', () => {
    fc.assert(
      fc.property(fc.constantFrom(...messages), fc.webQueryParameters(), (desc, query) => {
        try {
          readRequest(desc, readQuery(desc, query).json);
        } catch (error) {
          expect((error as AppError).status).toBe(400);
        }
      }),
    );
  });
});

function refusalOf(desc: DescMessage, json: JsonObject): AppError {
  try {
    readRequest(desc, json);
  } catch (error) {
    return error as AppError;
  }
  throw new Error(`${desc.typeName} was read`);
}

function emptyOf(desc: DescMessage): JsonObject | string {
  return desc.typeName === 'google.protobuf.Duration' ? '1s' : {};
}

function reachable(roots: readonly DescMessage[]): Set<DescMessage> {
  const found = new Set<DescMessage>();
  const visit = (desc: DescMessage): void => {
    if (!found.has(desc) && !desc.typeName.startsWith('google.')) {
      found.add(desc);
      for (const field of desc.fields) {
        if (field.message !== undefined) {
          visit(field.message);
        }
      }
    }
  };
  roots.forEach(visit);
  return found;
}
