/** PATCH on one resource: the examples of RFC 7644 section 3.5.2, the forms providers send, what is refused, and any sequence against a model. */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyPatch, readOperations } from './apply-patch.ts';
import { ScimError } from './errors.ts';
import { refuseOwned } from '../owned.ts';
import { readDocument } from './read-document.ts';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const core = 'urn:ietf:params:scim:schemas:core:2.0:User';

const work = { value: 'bjensen@example.com', type: 'work', primary: true };
const home = { value: 'babs@jensen.org', type: 'home' };
const workAddress = { type: 'work', streetAddress: '100 Universal City Plaza', locality: 'Hollywood', primary: true };
const homeAddress = { type: 'home', streetAddress: '456 Hollywood Blvd', locality: 'Hollywood' };
const babs: JsonObject = {
  userName: 'bjensen',
  name: { familyName: 'Jensen', givenName: 'Barbara' },
  emails: [work, home],
  addresses: [workAddress, homeAddress],
  active: true,
  [enterprise]: { department: 'Tours', manager: { value: 'boss', displayName: 'John Smith' } },
};

/** The whole way of a PATCH: read, held against what is the server's, applied, read as a document. */
function patch(before: JsonObject, ...operations: JsonValue[]): JsonObject {
  const read = readOperations({ Operations: operations });
  refuseOwned('USER', read);
  return readDocument('USER', applyPatch('USER', before, read));
}

function refusalOf(...operations: JsonValue[]): string {
  try {
    patch(babs, ...operations);
  } catch (error) {
    if (error instanceof ScimError) {
      return `${error.status} ${error.scimType}`;
    }
    throw error;
  }
  return 'done';
}

describe('PATCH, by the examples of RFC 7644', () => {
  it('3.5.2.1: adds attributes without a path, in whatever case they are written', () => {
    const { emails: _none, ...without } = babs;
    expect(patch(without, { op: 'add', value: { emails: [{ value: 'babs@jensen.org', type: 'home' }], nickname: 'Babs' } })).toEqual({
      ...without,
      emails: [home],
      nickName: 'Babs',
    });
  });

  it('3.5.2.2: removes the values that meet a filter, and the attribute with its last', () => {
    const remove = { op: 'remove', path: 'emails[type eq "work" and value ew "example.com"]' };
    expect(patch(babs, remove).emails).toEqual([home]);
    expect(patch({ ...babs, emails: [work] }, remove)).not.toHaveProperty('emails');
    expect(patch(babs, { op: 'remove', path: 'emails' })).not.toHaveProperty('emails');
  });

  it('3.5.2.3: replaces a value picked by a filter, one part of it, and all values', () => {
    const value = { type: 'work', streetAddress: '911 Universal City Plaza', locality: 'Hollywood', region: 'CA', primary: true };
    expect(patch(babs, { op: 'replace', path: 'addresses[type eq "work"]', value }).addresses).toEqual([value, homeAddress]);
    expect(patch(babs, { op: 'replace', path: 'addresses[type eq "work"].streetAddress', value: '1010 Broadway Ave' }).addresses).toEqual([
      { ...workAddress, streetAddress: '1010 Broadway Ave' },
      homeAddress,
    ]);
    const replaced = patch(babs, { op: 'replace', value: { emails: [home], nickname: 'Babs' } });
    expect(replaced).toEqual({ ...babs, emails: [home], nickName: 'Babs' });
  });

  it('3.5.2.3: treats a replacement of what is not there as an addition, but refuses one of a value that is not', () => {
    expect(patch(babs, { op: 'replace', path: 'title', value: 'Guide' }).title).toBe('Guide');
    expect(refusalOf({ op: 'replace', path: 'emails[type eq "other"].value', value: 'x@y.z' })).toBe('400 noTarget');
  });
});

describe('PATCH, value by value', () => {
  it('adds to lists without repeating, one value or many, also where there was none', () => {
    expect(patch(babs, { op: 'add', path: 'emails', value: [home, { value: 'c@d.e' }] }).emails).toEqual([work, home, { value: 'c@d.e' }]);
    expect(patch(babs, { op: 'add', path: 'emails', value: work }).emails).toEqual([work, home]);
    const one = { op: 'add', path: 'phoneNumbers', value: { value: '1' } };
    expect(patch(babs, one, { op: 'add', path: 'phoneNumbers', value: { value: '2' } }, one).phoneNumbers).toEqual([
      { value: '1' },
      { value: '2' },
    ]);
    expect(patch(babs, { op: 'add', path: 'roles', value: ['a', 'b', 'a'] }).roles).toEqual([{ value: 'a' }, { value: 'b' }]);
  });

  it('keeps one value primary: that which was written last', () => {
    const added = { value: 'new@example.com', primary: true };
    expect(patch(babs, { op: 'add', path: 'emails', value: [added] }).emails).toEqual([{ ...work, primary: false }, home, added]);
    expect(patch(babs, { op: 'replace', path: 'emails[type eq "home"].primary', value: 'True' }).emails).toEqual([
      { ...work, primary: false },
      { ...home, primary: true },
    ]);
    expect(patch(babs, { op: 'add', path: 'emails[type eq "home"]', value: { primary: true } }).emails).toEqual([
      { ...work, primary: false },
      { ...home, primary: true },
    ]);
    expect(patch(babs, { op: 'add', path: 'emails[type eq "other"]', value: { value: 'o@x.y', primary: true } }).emails).toEqual([
      { ...work, primary: false },
      home,
      { type: 'other', value: 'o@x.y', primary: true },
    ]);
  });

  it('changes parts of all values, and of single ones', () => {
    expect(patch(babs, { op: 'replace', path: 'emails.type', value: 'work' }).emails).toEqual([work, { ...home, type: 'work' }]);
    expect(patch(babs, { op: 'remove', path: 'emails.type' }).emails).toEqual([
      { value: work.value, primary: true },
      { value: home.value },
    ]);
    expect(patch(babs, { op: 'add', path: 'ims.value', value: 'x' }).ims).toEqual([{ value: 'x' }]);
    expect(patch(babs, { op: 'replace', path: 'NAME.FamilyName', value: 'Smith' }).name).toEqual({
      familyName: 'Smith',
      givenName: 'Barbara',
    });
    expect(patch(babs, { op: 'add', path: 'name', value: { middleName: 'Jane' } }).name).toMatchObject({
      familyName: 'Jensen',
      middleName: 'Jane',
    });
    expect(patch(babs, { op: 'remove', path: 'name.familyName' }, { op: 'remove', path: 'name.givenName' })).not.toHaveProperty('name');
    expect(patch(babs, { op: 'remove', path: 'emails[type eq "home"].type' }).emails).toEqual([work, { value: home.value }]);
  });

  it('takes null and empty lists for nothing', () => {
    expect(patch(babs, { op: 'replace', path: 'emails', value: [] })).not.toHaveProperty('emails');
    expect(patch({ ...babs, title: 'x' }, { op: 'replace', value: { title: null } })).not.toHaveProperty('title');
    expect(patch({ ...babs, title: 'x' }, { op: 'add', path: 'title', value: null }).title).toBe('x');
    expect(patch(babs, { op: 'replace', path: 'name.givenName', value: null }).name).toEqual({ familyName: 'Jensen' });
  });

  it('removes the values it is given, where it is given some', () => {
    expect(patch(babs, { op: 'remove', path: 'emails', value: [{ value: home.value }] }).emails).toEqual([work]);
    expect(patch({ ...babs, roles: [{ value: 'a' }, { value: 'b' }] }, { op: 'remove', path: 'roles', value: 'a' }).roles).toEqual([
      { value: 'b' },
    ]);
  });

  it('changes nothing of what it was given', () => {
    const before = structuredClone(babs);
    patch(babs, { op: 'replace', path: 'emails[type eq "work"].value', value: 'x@y.z' }, { op: 'remove', path: enterprise });
    expect(babs).toEqual(before);
  });
});

describe('PATCH of schemas', () => {
  it.each<[string, JsonValue, JsonObject]>([
    ['a path', { op: 'Add', path: `${enterprise}:department`, value: 'Sales' }, { department: 'Sales' }],
    [
      'a path of a part',
      { op: 'Replace', path: `${enterprise}:manager.value`, value: 'other' },
      { manager: { value: 'other', displayName: 'John Smith' } },
    ],
    [
      'a text for a manager',
      { op: 'Replace', path: `${enterprise}:manager`, value: 'other' },
      { manager: { value: 'other', displayName: 'John Smith' } },
    ],
    [
      'a manager in a list',
      { op: 'Add', path: `${enterprise}:manager`, value: [{ value: 'other', $ref: '../x' }] },
      { manager: { value: 'other', displayName: 'John Smith', $ref: '../x' } },
    ],
    ['a path as a key', { op: 'Replace', value: { [`${enterprise}:department`]: 'Sales' } }, { department: 'Sales' }],
    [
      'a path of an object as a key',
      { op: 'Replace', value: { [`${enterprise}:manager`]: { value: 'other' } } },
      { manager: { value: 'other', displayName: 'John Smith' } },
    ],
    ['the schema as a key', { op: 'replace', value: { [enterprise]: { department: 'Sales' } } }, { department: 'Sales' }],
    ['the schema as a path', { op: 'add', path: enterprise, value: { DEPARTMENT: 'Sales' } }, { department: 'Sales' }],
  ])('by %s', (_name, operation, changed) => {
    expect(patch(babs, operation)[enterprise]).toEqual({ ...(babs[enterprise] as JsonObject), ...changed });
    expect(Object.keys(patch(babs, operation)).sort()).toEqual(Object.keys(babs).sort());
  });

  it('removes parts of an extension, and all of it', () => {
    expect(patch(babs, { op: 'Remove', path: `${enterprise}:manager` })[enterprise]).toEqual({ department: 'Tours' });
    expect(patch(babs, { op: 'remove', path: enterprise })).not.toHaveProperty([enterprise]);
    expect(patch(babs, { op: 'remove', path: 'urn:acme:1.0:Thing:size' })).toEqual(babs);
  });

  it('knows the core schema by its URN, and keeps extensions it does not know', () => {
    expect(patch(babs, { op: 'replace', path: `${core}:title`, value: 'Guide' }).title).toBe('Guide');
    expect(patch(babs, { op: 'replace', value: { [core]: { title: 'Guide', id: 'mine' } } })).toEqual({ ...babs, title: 'Guide' });
    expect(patch(babs, { op: 'add', path: core, value: { title: 'Guide' } }).title).toBe('Guide');
    const thing = { size: 3, colours: ['red'] };
    const kept = patch(babs, { op: 'add', value: { 'urn:acme:1.0:Thing': thing } });
    expect(kept['urn:acme:1.0:Thing']).toEqual(thing);
    expect(patch(kept, { op: 'replace', path: 'urn:acme:1.0:Thing:size', value: 4 })['urn:acme:1.0:Thing']).toEqual({ ...thing, size: 4 });
  });
});

describe('PATCH that cannot be', () => {
  it.each<[string, JsonValue]>([
    ['400 invalidSyntax', { op: 'move', path: 'title', value: 'x' }],
    ['400 invalidSyntax', { path: 'title', value: 'x' }],
    ['400 invalidSyntax', { op: ['add'], path: 'title', value: 'x' }],
    ['400 invalidSyntax', 'add'],
    ['400 noTarget', { op: 'remove' }],
    ['400 invalidValue', { op: 'add', path: 'title' }],
    ['400 invalidValue', { op: 'add', value: 'x' }],
    ['400 invalidPath', { op: 'add', path: 5, value: 'x' }],
    ['400 invalidPath', { op: 'add', path: 'emails[type eq "work"', value: 'x' }],
    ['400 invalidPath', { op: 'add', path: 'a.b.c', value: 'x' }],
    ['400 invalidPath', { op: 'add', path: '__proto__', value: { userName: 'x' } }],
    ['400 invalidPath', { op: 'add', path: 'title.part', value: 'x' }],
    ['400 invalidPath', { op: 'replace', path: 'name[familyName eq "Jensen"].givenName', value: 'x' }],
    ['400 invalidFilter', { op: 'remove', path: 'emails[type is "work"]' }],
    ['400 noTarget', { op: 'add', path: 'emails[type co "x"].value', value: 'x' }],
    ['400 noTarget', { op: 'replace', path: 'emails[type eq "x"]', value: { value: 'x' } }],
    ['400 mutability', { op: 'replace', path: 'id', value: 'x' }],
    ['400 mutability', { op: 'add', path: 'groups', value: [{ value: 'x' }] }],
    ['400 mutability', { op: 'remove', path: 'meta' }],
    ['400 mutability', { op: 'remove', path: 'userName' }],
    ['400 mutability', { op: 'remove', path: `${core}:userName` }],
    ['400 mutability', { op: 'remove', path: core }],
    ['400 invalidValue', { op: 'replace', path: 'userName', value: '' }],
    ['400 invalidValue', { op: 'replace', path: 'active', value: 'perhaps' }],
    ['400 invalidValue', { op: 'replace', path: enterprise, value: 'x' }],
    ['400 invalidValue', { op: 'add', path: 'emails', value: [5] }],
    ['400 invalidValue', { op: 'replace', path: 'emails[type eq "work"]', value: [home, work] }],
  ])('%s: %j', (refusal, operation) => {
    expect(refusalOf(operation)).toBe(refusal);
  });

  it('is no PATCH at all, or too much of one', () => {
    for (const body of [undefined, null, [], {}, { Operations: [] }, { Operations: {} }] as JsonValue[]) {
      expect(() => readOperations(body)).toThrow(expect.objectContaining({ scimType: 'invalidSyntax' }));
    }
    const one = { op: 'add', path: 'title', value: 'x' };
    expect(() => readOperations({ operations: Array.from({ length: 1001 }, () => one) })).toThrow(
      expect.objectContaining({ scimType: 'tooMany' }),
    );
    const many = Array.from({ length: 600 }, (_, index) => ({ value: `v${index}` }));
    const more = many.map(({ value }) => ({ value: `w${value}` }));
    expect(refusalOf({ op: 'add', path: 'roles', value: many })).toBe('done');
    expect(refusalOf({ op: 'add', path: 'roles', value: many }, { op: 'add', path: 'roles', value: more })).toBe('400 invalidValue');
  });
});

/** A user as the model has it: plain fields, and addresses by their type, of which there is one each. */
interface Model {
  title: string | undefined;
  family: string | undefined;
  department: string | undefined;
  active: boolean;
  emails: Map<string, string>;
}

interface Step {
  readonly operation: JsonValue;
  readonly run: (model: Model) => void;
}

describe('any sequence of operations', () => {
  const text = fc.constantFrom('a', 'B', 'c@d.e', 'x y');
  const kind = fc.constantFrom('work', 'home', 'other');
  const op = (name: 'add' | 'replace' | 'remove') => fc.constantFrom(name, name.toUpperCase(), name[0]?.toUpperCase() + name.slice(1));
  const write = fc.oneof(op('add'), op('replace'));

  const setText = (name: 'title' | 'family' | 'department', paths: readonly string[]): fc.Arbitrary<Step> =>
    fc.record({ word: write, path: fc.constantFrom(...paths), value: text, isBare: fc.boolean() }).map(({ word, path, value, isBare }) => ({
      operation: (isBare ? { op: word, value: { [path]: value } } : { op: word, path, value }) as JsonValue,
      run: (model) => {
        model[name] = value;
      },
    }));
  const removeText = (name: 'title' | 'family' | 'department', path: string): fc.Arbitrary<Step> =>
    op('remove').map((word) => ({
      operation: { op: word, path },
      run: (model) => {
        model[name] = undefined;
      },
    }));
  const paths = {
    title: ['title', 'TITLE', `${core}:title`],
    family: ['name.familyName', 'NAME.familyname'],
    department: [`${enterprise}:department`, `${enterprise.toUpperCase()}:department`],
  };
  const setActive = fc.record({ word: write, value: fc.constantFrom(true, false, 'True', 'False', 'false') }).map(
    ({ word, value }): Step => ({
      operation: { op: word, path: 'active', value },
      run: (model) => {
        model.active = String(value).toLowerCase() === 'true';
      },
    }),
  );
  const setEmail = fc.record({ type: kind, value: text, hasPath: fc.boolean() }).map(
    ({ type, value, hasPath }): Step => ({
      operation: hasPath
        ? { op: 'add', path: `emails[type eq "${type}"].value`, value }
        : { op: 'Add', path: `emails[type eq "${type}"]`, value: { value } },
      run: (model) => {
        model.emails.set(type, value);
      },
    }),
  );
  const removeEmail = kind.map(
    (type): Step => ({
      operation: { op: 'Remove', path: `emails[type eq "${type.toUpperCase()}"]` },
      run: (model) => {
        model.emails.delete(type);
      },
    }),
  );
  const replaceEmails = fc.uniqueArray(fc.record({ type: kind, value: text }), { selector: ({ type }) => type }).map(
    (list): Step => ({
      operation: { op: 'replace', value: { emails: list } },
      run: (model) => {
        model.emails = new Map(list.map(({ type, value }) => [type, value]));
      },
    }),
  );
  const step = fc.oneof(
    setText('title', paths.title),
    setText('family', paths.family),
    setText('department', paths.department),
    removeText('title', 'title'),
    removeText('family', 'name.familyName'),
    removeText('department', `${enterprise}:department`),
    setActive,
    setEmail,
    removeEmail,
    replaceEmails,
  );

  function viewOf(document: JsonObject): object {
    const emails = (document.emails ?? []) as { type: string; value: string }[];
    return {
      title: document.title,
      family: (document.name as JsonObject | undefined)?.familyName,
      department: (document[enterprise] as JsonObject | undefined)?.department,
      active: document.active !== false,
      emails: Object.fromEntries(emails.map(({ type, value }) => [type, value])),
      count: emails.length,
    };
  }

  it('comes to what a plain model comes to, sent at once or one by one', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
        const model: Model = { title: undefined, family: undefined, department: undefined, active: true, emails: new Map() };
        let oneByOne: JsonObject = { userName: 'u' };
        for (const { operation, run } of steps) {
          run(model);
          oneByOne = patch(oneByOne, operation);
        }
        const atOnce = patch({ userName: 'u' }, ...steps.map(({ operation }) => operation));
        expect(atOnce).toEqual(oneByOne);
        const { emails, ...rest } = model;
        expect(viewOf(atOnce)).toEqual({ ...rest, emails: Object.fromEntries(emails), count: emails.size });
      }),
      { numRuns: 500 },
    );
  });

  it('answers whatever is sent with a document or an error of SCIM', () => {
    const path = fc.oneof(fc.constantFrom('emails', 'emails[type eq "x"]', 'name.x', 'active', enterprise, core, 'x', ''), fc.string());
    const operation = fc.record(
      { op: fc.constantFrom('add', 'remove', 'replace'), path, value: fc.jsonValue({ maxDepth: 3 }) },
      { requiredKeys: ['op'] },
    );
    fc.assert(
      fc.property(fc.array(operation, { minLength: 1, maxLength: 4 }), (operations) => {
        try {
          const document = patch(babs, ...(operations as JsonValue[]));
          expect(readDocument('USER', document)).toEqual(document);
        } catch (error) {
          expect(error).toBeInstanceOf(ScimError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
