/** Filters of a search of profile values, by the type of the attribute. */
import { type FieldViolation, invalidField, refuseInvalid } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { profileForms, type ProfileSubject, readTyped } from './profile-types.ts';
import { type AttributeRow, findAttribute } from './store-attributes.ts';
import { listMatches, type MatchRow, type ValueFilter } from './store-values.ts';

/** A search as it was asked for; values are texts as in an import, undefined where none was sent. */
export interface ProfileSearch {
  readonly subject: ProfileSubject;
  readonly name: string;
  readonly equals: string | undefined;
  readonly oneOf: readonly string[] | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** The most values of one search. */
const maxValues = 100;

function filterOf(search: ProfileSearch, { type }: AttributeRow): ValueFilter {
  const violations: FieldViolation[] = [];
  const { subject, name, equals, oneOf, from, to } = search;
  const isRange = from !== undefined || to !== undefined;
  const chosen = [equals !== undefined ? 'equals' : '', oneOf !== undefined ? 'oneOf' : '', isRange ? 'from and to' : ''].filter(
    (one) => one !== '',
  );
  if (chosen.length > 1) {
    violations.push({ field: chosen[0] ?? '', description: `give only one of ${chosen.join(', ')}` });
  }
  if (isRange && (type === 'TEXT' || type === 'BOOLEAN')) {
    violations.push({
      field: from === undefined ? 'to' : 'from',
      description: `an attribute of type ${type} has no ranges: use equals or oneOf`,
    });
  }
  if (oneOf !== undefined && oneOf.length > maxValues) {
    violations.push({ field: 'oneOf', description: `must not have more than ${maxValues} values` });
  }
  const read = (text: string, field: string): string | number => {
    const value = readTyped(type, text);
    if (value === undefined || value === null) {
      violations.push({ field, description: `must be ${profileForms[type]}: the attribute is of type ${type}` });
    }
    return typeof value === 'number' ? value : String(value);
  };
  const filter: ValueFilter = {
    subject,
    name,
    isNumber: type === 'NUMBER',
    oneOf: equals !== undefined ? [read(equals, 'equals')] : oneOf?.slice(0, maxValues).map((text, index) => read(text, `oneOf[${index}]`)),
    from: from === undefined ? undefined : read(from, 'from'),
    to: to === undefined ? undefined : read(to, 'to'),
  };
  refuseInvalid(violations);
  return filter;
}

/** A page of the people or accounts whose value matches. INVALID_ARGUMENT for an attribute without a type and for values that do not fit. */
export async function searchProfiles(
  context: Context,
  search: ProfileSearch,
  after: readonly string[] | undefined,
  limit: number,
): Promise<MatchRow[]> {
  const attribute = await findAttribute(context, search.subject, search.name);
  if (attribute === undefined) {
    throw invalidField(
      'name',
      `no attribute of this name has a type, and only those are searched: PUT /api/v1/profile_attributes/${search.subject.toLowerCase()}/{name}`,
    );
  }
  const [key, id] = after ?? [];
  return listMatches(context, filterOf(search, attribute), key === undefined || id === undefined ? undefined : [key, id], limit);
}
