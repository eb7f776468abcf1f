/**
 * From a method of the contract and a request to the HTTP request that means it. The server derives its routes from the same
 * options; nothing here knows a path by heart.
 */
import { type DescMethod, getOption, type JsonObject } from '@bufbuild/protobuf';
import { http } from '../gen/google/api/annotations_pb.js';
import { lowerCamel } from '../wire/names.ts';
import { fillRoute, type RequestParts } from './fill-route.ts';

/** Returns the request that carries `fields` to `method`. */
export function buildRequest(method: DescMethod, fields: JsonObject, bodyIsStream = false): RequestParts {
  const { verb, template } = routeOf(method);
  return fillRoute(verb, template, fields, bodyIsStream);
}

/** Returns the fields that the path of a method carries, in their order there. */
export function pathFields(method: DescMethod): string[] {
  return [...routeOf(method).template.matchAll(/\{([a-z0-9_]+)\}/g)].map(([, name = '']) => lowerCamel(name));
}

function routeOf(method: DescMethod): { verb: string; template: string } {
  const pattern = getOption(method, http).pattern;
  switch (pattern.case) {
    case 'get':
    case 'post':
    case 'put':
    case 'delete':
    case 'patch':
      return { verb: pattern.case.toUpperCase(), template: pattern.value };
    default:
      throw new TypeError(`${method.parent.typeName}.${method.name} has no route`);
  }
}
