/**
 * Attribute paths of PATCH (RFC 7644 section 3.5.2): name.familyName, emails[type eq "work"].value, urn:...:User:department.
 */
import { ScimError } from './errors.ts';
import { type Filter, FilterError, parseFilter } from './parse-filter.ts';

/** A path, taken apart. */
export interface AttributePath {
  /** The extension's schema, '' for the core schema (its URN where all of it is meant). */
  readonly urn: string;
  /** '' for all of the schema. */
  readonly attribute: string;
  /** Filter of a multi-valued attribute's values; undefined for all. */
  readonly filter: Filter | undefined;
  /** '' for the whole attribute. */
  readonly sub: string;
}

const coreUrn = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;
const name = '[A-Za-z$][A-Za-z0-9$_-]*';
const pathShape = new RegExp(`^(?:(urn:[A-Za-z0-9:._-]+):)?(${name})(?:\\[(.*)\\])?(?:\\.(${name}))?$`, 'si');
const wholeSchema = /^urn:ietf:params:scim:schemas:(?:core|extension):[A-Za-z0-9:._-]*:(?:user|group)$/i;

/** Takes a path apart; 400 invalidPath for one that is none, invalidFilter for a bad filter in it. */
export function parsePath(text: string): AttributePath {
  const path = text.trim().replace(coreUrn, '');
  if (wholeSchema.test(path)) {
    return { urn: path, attribute: '', filter: undefined, sub: '' };
  }
  const match = pathShape.exec(path);
  if (match === null || path.length > 4096) {
    throw new ScimError(400, 'invalidPath', `${JSON.stringify(text.slice(0, 100))} is not an attribute path.`);
  }
  const [, urn = '', attribute = '', filter, sub = ''] = match;
  try {
    return { urn, attribute, filter: filter === undefined ? undefined : parseFilter(filter), sub };
  } catch (error) {
    if (error instanceof FilterError) {
      throw new ScimError(400, 'invalidFilter', `The filter in ${JSON.stringify(text.slice(0, 100))} ${error.message}.`);
    }
    throw error;
  }
}
