/** Replies as text are, byte for byte, what they are as objects. */
import type { DescMessage } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { rowOf } from '../../test/support/arbitrary-row.ts';
import { listContractServices } from '../../test/support/contract.ts';
import { tries } from '../../test/support/runs.ts';
import { TaskInsightSchema } from '../gen/countersign/v1/tasks_pb.js';
import { shape } from './reply.ts';
import { writeJson } from './write.ts';

let replies: DescMessage[];

beforeAll(async () => {
  replies = (await listContractServices()).flatMap((service) => service.methods.map((method) => method.output));
});

describe('the text of a row', () => {
  it('is that of the reply as an object, for every reply of the contract', () => {
    for (const desc of replies) {
      expect(writeJson(desc, {})).toBe(JSON.stringify(shape(desc, {})));
    }
  });

  it('is that of the reply as an object, whatever the row holds', () => {
    const row = fc.nat({ max: replies.length - 1 }).chain((index) => {
      const desc = replies[index] ?? TaskInsightSchema;
      return rowOf(desc, TaskInsightSchema).map((one) => [desc, one] as const);
    });
    fc.assert(
      fc.property(row, ([desc, one]) => {
        expect(writeJson(desc, one)).toBe(JSON.stringify(shape(desc, one)));
      }),
      { numRuns: tries(3_000, 100_000) },
    );
  });
});
