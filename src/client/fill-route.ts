/** Fills the route of an operation with the fields of a request, for the client that knows descriptors and the one of the console that does not. */
import { lowerCamel, snakeCase } from '../wire/names.ts';

/** An HTTP request without its host. */
export interface RequestParts {
  readonly verb: string;
  /** With its query, from the first slash on. */
  readonly path: string;
  /** Absent for GET and for operations whose body is a file. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** Returns the request that carries `fields`; what is neither path nor body goes into the query. TypeError for a missing field of the path. */
export function fillRoute(verb: string, template: string, fields: Readonly<Record<string, unknown>>, bodyIsFile = false): RequestParts {
  const rest: Record<string, unknown> = { ...fields };
  const path = template.replace(/\{([a-z0-9_]+)\}/g, (_, name: string) => {
    const key = lowerCamel(name);
    const value = rest[key];
    delete rest[key];
    if (typeof value !== 'string' || value === '') {
      throw new TypeError(`${key} is needed for ${verb} ${template}`);
    }
    return encodeURIComponent(value);
  });
  if (verb !== 'GET' && !bodyIsFile) {
    return { verb, path, body: rest };
  }
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(rest)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '') {
        query.append(snakeCase(key), typeof one === 'object' ? JSON.stringify(one) : String(one));
      }
    }
  }
  const text = query.toString();
  return { verb, path: text === '' ? path : `${path}?${text}`, body: undefined };
}
