/**
 * The attributes of users and groups (RFC 7643 sections 4 and 8.7): what is reported at /Schemas and what requests are read by. Finding one by its
 * name is in find-attribute.ts, reading values in read-document.ts.
 */

/** An attribute, as a schema describes it. */
export interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'complex' | 'reference' | 'binary';
  readonly multiValued: boolean;
  readonly description: string;
  readonly required: boolean;
  readonly caseExact?: boolean;
  readonly mutability: 'readOnly' | 'readWrite' | 'immutable';
  readonly returned: 'always' | 'default';
  readonly uniqueness?: 'none' | 'server';
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly Attribute[];
}

/** A schema. */
export interface Schema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

/** URNs of the schemas and messages. */
export const urns = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  enterprise: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  /** Ours: what becomes of a user here. */
  own: 'urn:countersign:params:scim:schemas:extension:1.0:User',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
} as const;

const usual = { multiValued: false, required: false, mutability: 'readWrite', returned: 'default' } as const;

function text(name: string, description: string, more: Partial<Attribute> = {}): Attribute {
  return { name, type: 'string', description, ...usual, caseExact: false, uniqueness: 'none', ...more };
}

function flag(name: string, description: string): Attribute {
  return { name, type: 'boolean', description, ...usual };
}

function complex(name: string, description: string, subAttributes: readonly Attribute[], more: Partial<Attribute> = {}): Attribute {
  return { name, type: 'complex', description, ...usual, ...more, subAttributes };
}

const reference = (
  description: string,
  referenceTypes: readonly string[],
  mutability: Attribute['mutability'] = 'readWrite',
): Attribute => ({
  name: '$ref',
  type: 'reference',
  description,
  ...usual,
  caseExact: true,
  uniqueness: 'none',
  mutability,
  referenceTypes,
});

/** A list of values with the usual four members. */
function values(name: string, description: string, value: Partial<Attribute> = {}): Attribute {
  return complex(
    name,
    description,
    [
      text('value', 'The value.', value),
      text('display', 'The value as shown to people.'),
      text('type', 'What it is for, such as work or home.'),
      flag('primary', 'Whether it is the preferred one.'),
    ],
    { multiValued: true },
  );
}

const userAttributes: readonly Attribute[] = [
  text('userName', 'The name of the account; unique within the source, in any case.', {
    required: true,
    uniqueness: 'server',
  }),
  complex('name', 'The parts of the name.', [
    text('formatted', 'The whole name.'),
    text('familyName', 'The family name.'),
    text('givenName', 'The given name.'),
    text('middleName', 'The middle names.'),
    text('honorificPrefix', 'A title before the name.'),
    text('honorificSuffix', 'A title behind the name.'),
  ]),
  text('displayName', 'The name shown; if it is absent, the formatted name, its parts, or the userName.'),
  text('nickName', 'The casual name.'),
  { ...text('profileUrl', 'A page about the user.'), type: 'reference', referenceTypes: ['external'] },
  text('title', "The person's job title."),
  text('userType', "The kind of employment; becomes the person's employment type."),
  text('preferredLanguage', 'The preferred language.'),
  text('locale', 'The locale.'),
  text('timezone', 'The time zone.'),
  flag('active', 'Whether the person and the account are enabled; true if it is absent.'),
  values('emails', 'Mail addresses. The primary one, else the one for work, else the first, is the address of the person.'),
  values('phoneNumbers', 'Phone numbers.'),
  values('ims', 'Addresses for instant messages.'),
  values('photos', 'Pictures.', { type: 'reference', referenceTypes: ['external'] }),
  complex(
    'addresses',
    'Postal addresses.',
    [
      text('formatted', 'The whole address.'),
      text('streetAddress', 'Street and number.'),
      text('locality', 'City.'),
      text('region', 'State or region.'),
      text('postalCode', 'Postal code.'),
      text('country', 'Country.'),
      text('type', 'What it is for, such as work or home.'),
      flag('primary', 'Whether it is the preferred one.'),
    ],
    { multiValued: true },
  ),
  complex(
    'groups',
    'The groups of this source that the user is a member of.',
    [
      text('value', 'The id of the group.', { mutability: 'readOnly' }),
      reference('The group.', ['Group'], 'readOnly'),
      text('display', 'The name of the group.', { mutability: 'readOnly' }),
      text('type', 'Always direct: groups within groups are not supported.', { mutability: 'readOnly' }),
    ],
    { multiValued: true, mutability: 'readOnly' },
  ),
  values('entitlements', 'Kept as sent; groups decide the access in the app.'),
  values('roles', 'Kept as sent; groups decide the access in the app.'),
  values('x509Certificates', 'Certificates.', { type: 'binary', caseExact: true }),
];

const groupAttributes: readonly Attribute[] = [
  text('displayName', 'The name of the group.', { required: true }),
  complex(
    'members',
    'The users of this source that are in the group. Groups cannot be members.',
    [
      text('value', 'The id of the user.', { mutability: 'immutable', caseExact: true }),
      reference('The user.', ['User'], 'immutable'),
      text('type', 'User.', { mutability: 'immutable' }),
      text('display', 'The userName.', { mutability: 'readOnly' }),
    ],
    { multiValued: true },
  ),
];

const enterpriseAttributes: readonly Attribute[] = [
  text('employeeNumber', "The person's employee id."),
  text('costCenter', 'The cost center.'),
  text('organization', 'The organization.'),
  text('division', 'The division.'),
  text('department', "The person's department."),
  complex('manager', "The person's manager.", [
    text('value', 'The id of a user of this source. An unknown id is kept, and sets no manager.', { caseExact: true }),
    reference('The manager.', ['User']),
    text('displayName', "The manager's name, as sent."),
  ]),
];

const ownAttributes: readonly Attribute[] = [
  text(
    'countersignState',
    'Absent where it is known who the user is. DISPUTED: what is said of the user contradicts what is known; until an administrator says who it is, it ' +
      'stands for nobody, nobody owns its account, and nobody signs in by it. IGNORED: an administrator said that it stands for nobody.',
    { mutability: 'readOnly' },
  ),
];

/** The schemas served. */
export const schemas = {
  user: { id: urns.user, name: 'User', description: 'A person and their account in the app.', attributes: userAttributes },
  group: { id: urns.group, name: 'Group', description: 'A group of the app and its members.', attributes: groupAttributes },
  enterprise: { id: urns.enterprise, name: 'EnterpriseUser', description: 'The person at work.', attributes: enterpriseAttributes },
  own: { id: urns.own, name: 'CountersignUser', description: 'What becomes of the user here.', attributes: ownAttributes },
} as const satisfies Readonly<Record<string, Schema>>;

/** externalId is common to all resources and in no schema's list (RFC 7643 section 3.1). */
export const commonAttributes: readonly Attribute[] = [text('externalId', 'The name that the provider uses.', { caseExact: true })];
