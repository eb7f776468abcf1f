/**
 * Types of profile attributes, and the texts that fit them. Pure; the schema's profile_value() says the same in SQL, for many values at once
 * (profile-types.test.ts holds the two together).
 */

/** The types (`profile_attributes.value_type`); an attribute without one is text. */
export const profileTypes = ['TEXT', 'NUMBER', 'BOOLEAN', 'DATE'] as const;

/** A type of attribute. */
export type ProfileType = (typeof profileTypes)[number];

/** Subject of a profile (`profile_attributes.subject`). */
export type ProfileSubject = 'USER' | 'ACCOUNT';

/** Written forms of a type's values: for messages. */
export const profileForms: Readonly<Record<ProfileType, string>> = {
  TEXT: 'any text',
  NUMBER: 'a number such as 42 or -1.5, with at most 15 digits before and after the point',
  BOOLEAN: 'true or false (yes and no are understood)',
  DATE: 'a date such as 2026-03-01',
};

const booleans: Readonly<Record<string, boolean>> = { true: true, yes: true, false: false, no: false };

function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text) ?? [];
  if (year === '' || year === '0000') {
    return false;
  }
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
}

/** The value a text is with a type; undefined where it does not fit, null for a text that is empty. */
export function readTyped(type: ProfileType, text: string): string | number | boolean | null | undefined {
  // The spaces PostgreSQL's btrim takes off, and no others.
  const trimmed = text.replace(/^ +| +$/g, '');
  if (type === 'TEXT') {
    return text;
  }
  if (trimmed === '') {
    return null;
  }
  switch (type) {
    case 'NUMBER':
      return /^[+-]?[0-9]{1,15}(\.[0-9]{1,15})?$/.test(trimmed) ? Number(trimmed) : undefined;
    case 'BOOLEAN':
      return Object.hasOwn(booleans, trimmed.toLowerCase()) ? booleans[trimmed.toLowerCase()] : undefined;
    case 'DATE':
      return isDate(trimmed) ? trimmed : undefined;
  }
}
