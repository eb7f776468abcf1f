/**
 * A good request of every operation of the contract, over a World: for tests that must hold for each of them. An operation without an
 * entry makes those tests fail, so that a new one is thought about. What is expected of whom stands in the tests.
 */
import type { DescMethod } from '@bufbuild/protobuf';
import { getOption } from '@bufbuild/protobuf';
import { streamed_body } from '../../src/gen/countersign/options_pb.js';
import { contractRoute } from '../../src/http/route-of.ts';
import { type Answer, request } from './api.ts';
import { listContractServices } from './contract.ts';
import { loadSamples } from './load-samples.ts';
import type { ServedTenant, TestPerson } from './server.ts';
import type { Sample } from './samples/sample.ts';
import { sendFile, type World } from './world.ts';

export type { Sample } from './samples/sample.ts';

/** An operation of the contract. */
export interface Operation {
  /** Service and method: AccessReviewService.get. */
  readonly name: string;
  readonly desc: DescMethod;
  /** True if it answers page by page. */
  readonly isList: boolean;
}

/** All operations of the contract, by name. */
export async function listOperations(): Promise<Operation[]> {
  const services = await listContractServices();
  return services.flatMap((service) =>
    service.methods.map((desc) => ({
      name: `${service.name}.${desc.localName}`,
      desc,
      isList:
        desc.output.fields.some(({ name }) => name === 'next_page_token') && desc.input.fields.some(({ name }) => name === 'page_size'),
    })),
  );
}

/** Sends a request of an operation as a person of this tenant. */
export function send(tenant: ServedTenant, person: TestPerson, { desc }: Operation, sample: Sample): Promise<Answer> {
  const route = contractRoute(desc);
  const path = route.template.replace(/\{([a-z0-9_]+)\}/g, (_all, name: string) => encodeURIComponent(sample.path?.[name] ?? 'absent'));
  const query = queryOf(sample.fields);
  if (getOption(desc, streamed_body)) {
    return sendFile(tenant, person, `${path}${query}`, sample.file ?? '');
  }
  return route.hasBody
    ? request(tenant, person, route.verb, path, sample.fields ?? {})
    : request(tenant, person, route.verb, `${path}${query}`);
}

function queryOf(fields: Sample['fields']): string {
  const parameters = new URLSearchParams(Object.entries(fields ?? {}).map(([name, value]) => [name, String(value)] as [string, string]));
  return parameters.size === 0 ? '' : `?${parameters}`;
}

/** The operations by name. Each call makes a new request; what it destroys was made for it. */
export const { samples, refused } = await loadSamples();

/** The sample of an operation; throws for one that nobody has thought about. */
export async function sampleOf(operation: Operation, world: World, person: TestPerson): Promise<Sample> {
  const make = samples[operation.name];
  if (make === undefined) {
    throw new Error(`${operation.name} has no sample: add one in a file of test/support/samples, and who may call it`);
  }
  return make(world, person);
}
