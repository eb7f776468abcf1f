/**
 * From a method of the contract and a request to the HTTP request that means it. The server derives its routes from the same
 * options; nothing here knows a path by heart.
 */
import { type DescMessage, type DescMethod, getOption, type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import { http } from '../gen/google/api/annotations_pb.js';

/** An HTTP request without its host: `body` is absent for GET and for methods whose body is a stream. */
export interface RequestParts {
  readonly verb: string;
  /** With its query, from the first slash on. */
  readonly path: string;
  readonly body: JsonObject | undefined;
}

/** The request that carries `fields` to `method`. A missing path parameter throws; what is neither path nor body goes into the query. */
export function buildRequest(method: DescMethod, fields: JsonObject, bodyIsStream = false): RequestParts {
  const { verb, template } = routeOf(method);
  const rest: JsonObject = { ...fields };
  const path = template.replace(/\{([a-z0-9_]+)\}/g, (_, name: string) => {
    const key = jsonName(method.input, name);
    const value = rest[key];
    delete rest[key];
    if (typeof value !== 'string' || value === '') {
      throw new TypeError(`${key} is needed for ${verb} ${template}`);
    }
    return encodeURIComponent(value);
  });
  if (verb !== 'GET' && !bodyIsStream) {
    return { verb, path, body: rest };
  }
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(rest)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '') {
        query.append(protoName(method.input, key), queryText(one));
      }
    }
  }
  const text = query.toString();
  return { verb, path: text === '' ? path : `${path}?${text}`, body: undefined };
}

function queryText(value: JsonValue): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
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

function jsonName(message: DescMessage, name: string): string {
  const field = message.fields.find((candidate) => candidate.name === name);
  if (field === undefined) {
    throw new TypeError(`${message.typeName} has no field ${name}`);
  }
  return field.jsonName;
}

/** The name of a query parameter: the contract's own spelling (page_size), as the specification shows it. */
function protoName(message: DescMessage, key: string): string {
  return message.fields.find((field) => field.jsonName === key)?.name ?? key;
}
