/** Everything the contract serves, found by looking: for tests that must hold for each method and message, new ones too. */
import { readdir } from 'node:fs/promises';
import { createRegistry, type DescFile, type DescMessage, type DescService, hasOption, type Registry } from '@bufbuild/protobuf';
import { http } from '../../src/gen/google/api/annotations_pb.js';

const generated = new URL('../../src/gen/', import.meta.url);

/** All services of the contract. What connectors speak over gRPC is no part of it: it has no routes. */
export async function listContractServices(): Promise<DescService[]> {
  const names = (await readdir(generated, { recursive: true })).filter((name) => name.endsWith('_pb.js')).sort();
  const modules = await Promise.all(names.map((name) => import(new URL(name, generated).href) as Promise<Record<string, unknown>>));
  return modules
    .flatMap((module) => Object.values(module))
    .filter(isService)
    .filter(hasRoutes);
}

/** The messages that requests of the contract are. */
export async function listRequestMessages(): Promise<DescMessage[]> {
  return (await listContractServices()).flatMap((service) => service.methods.map((method) => method.input));
}

/** Everything that replies of the contract may hold, by name: expanded objects are of types that services only refer to. */
export async function loadContractRegistry(): Promise<Registry> {
  const found = new Set<DescFile>();
  const visit = (file: DescFile): void => {
    if (!found.has(file)) {
      found.add(file);
      file.dependencies.forEach(visit);
    }
  };
  for (const { file } of await listContractServices()) {
    visit(file);
  }
  return createRegistry(...found);
}

function hasRoutes({ methods }: DescService): boolean {
  return methods.every((method) => hasOption(method, http));
}

function isService(value: unknown): value is DescService {
  return typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'service';
}
