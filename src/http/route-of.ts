/** Route of a method of the contract: read from its google.api.http option, which routes, OpenAPI and client all share. */
import { type DescMethod, getOption } from '@bufbuild/protobuf';
import { http } from '../gen/google/api/annotations_pb.js';

/** The methods of HTTP that the contract uses. */
export type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';

/** A route of the contract. */
export interface ContractRoute {
  readonly verb: Verb;
  /** With parameters in braces: /api/v1/apps/{app_id}. */
  readonly template: string;
  /** The names of the path parameters, as the contract spells them. */
  readonly parameters: readonly string[];
  /** True if the fields come in a JSON body; otherwise they come in the query. */
  readonly hasBody: boolean;
}

/** The route of a method; throws, at start, where the contract gives it none that we can serve. */
export function contractRoute(method: DescMethod): ContractRoute {
  const rule = getOption(method, http);
  const { pattern, body } = rule;
  if (pattern.case === undefined || pattern.case === 'custom' || (body !== '' && body !== '*')) {
    throw new TypeError(`${method.parent.typeName}.${method.name} has no route that can be served`);
  }
  const parameters = [...pattern.value.matchAll(/\{([a-z0-9_]+)\}/g)].map((match) => match[1] ?? '');
  return { verb: pattern.case.toUpperCase() as Verb, template: pattern.value, parameters, hasBody: body === '*' };
}

/** A template as the router writes it: /api/v1/apps/:app_id. */
export function routerPath(template: string): string {
  // A colon that is part of the path is doubled.
  return template.replaceAll(':', '::').replace(/\{([a-z0-9_]+)\}/g, (_braces, name: string) => `:${name}`);
}
