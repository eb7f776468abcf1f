/** Report of the service about itself, held against RFC 7643 sections 5 to 7 and against what it does. */
import { describe, expect, it } from 'vitest';
import type { Attribute } from './document/attributes.ts';
import { schemas } from './document/attributes.ts';
import { describeSchemas, describeService, describeTypes, listAll } from './discovery.ts';
import { readFilter } from './filter-sql.ts';
import { readDocument } from './document/read-document.ts';
import { searchables } from './document/search-keys.ts';

const baseUrl = 'https://reviews.example.com/scim/v2';
const all = Object.values(schemas).flatMap((schema) =>
  schema.attributes.flatMap((attribute: Attribute): [string, Attribute][] => [
    [`${schema.name}: ${attribute.name}`, attribute],
    ...(attribute.subAttributes ?? []).map((sub): [string, Attribute] => [`${schema.name}: ${attribute.name}.${sub.name}`, sub]),
  ]),
);

describe('schemas', () => {
  it.each(all)('%s has the characteristics of RFC 7643 section 7', (_name, attribute) => {
    expect(attribute.name).toMatch(/^(?:\$ref|[A-Za-z][A-Za-z0-9$_-]*)$/);
    expect(attribute.description).toMatch(/\w\.$/);
    expect(['string', 'boolean', 'complex', 'reference', 'binary']).toContain(attribute.type);
    expect(typeof attribute.multiValued).toBe('boolean');
    expect(typeof attribute.required).toBe('boolean');
    expect(['readOnly', 'readWrite', 'immutable']).toContain(attribute.mutability);
    expect(['always', 'default']).toContain(attribute.returned);
    // Only texts say whether their case matters; of references alone what they refer to; of complex ones alone their parts.
    const isText = attribute.type !== 'boolean' && attribute.type !== 'complex';
    expect([attribute.caseExact !== undefined, attribute.uniqueness !== undefined]).toEqual([isText, isText]);
    expect(attribute.referenceTypes !== undefined).toBe(attribute.type === 'reference');
    expect((attribute.subAttributes?.length ?? 0) > 0).toBe(attribute.type === 'complex');
  });

  it('are found by their ids, and say where they are', () => {
    const found = describeSchemas(baseUrl);
    expect([...found.keys()]).toEqual([
      'urn:ietf:params:scim:schemas:core:2.0:User',
      'urn:ietf:params:scim:schemas:core:2.0:Group',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
      'urn:countersign:params:scim:schemas:extension:1.0:User',
    ]);
    for (const [id, schema] of found) {
      expect(schema).toMatchObject({
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
        id,
        meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${id}` },
      });
    }
  });

  it('name nothing that a filter cannot ask for', () => {
    expect(searchables.length).toBeGreaterThan(40);
    for (const { name, isFlag } of searchables) {
      expect(readFilter('USER', `${name} ${isFlag ? 'eq true' : 'eq "x"'}`)).toMatchObject({ kind: 'compare' });
      expect(readFilter('USER', `${name.toUpperCase()} pr`)).toMatchObject({ kind: 'compare', operator: 'pr' });
    }
  });

  it('are what resources are read by: a value of each attribute comes through as it is', () => {
    const sampleOf = (attribute: Attribute): unknown => {
      const one =
        attribute.type === 'boolean'
          ? true
          : attribute.type === 'complex'
            ? Object.fromEntries((attribute.subAttributes ?? []).map((sub) => [sub.name, sampleOf(sub)]))
            : 'x';
      return attribute.multiValued ? [one] : one;
    };
    const contentOf = (attributes: readonly Attribute[]) =>
      Object.fromEntries(attributes.map((attribute) => [attribute.name, sampleOf(attribute)]));
    const user = { ...contentOf(schemas.user.attributes), [schemas.enterprise.id]: contentOf(schemas.enterprise.attributes) };
    const { groups: _derived, ...kept } = user as Record<string, unknown>;
    expect(readDocument('USER', user as never)).toEqual(kept);
    const { members: _grants, ...group } = contentOf(schemas.group.attributes);
    expect(readDocument('GROUP', contentOf(schemas.group.attributes) as never)).toEqual(group);
  });
});

describe('the service', () => {
  it('promises what it does (RFC 7643 section 5)', () => {
    const told = describeService(baseUrl);
    for (const name of ['patch', 'bulk', 'filter', 'changePassword', 'sort', 'etag']) {
      expect(told[name]).toMatchObject({ supported: expect.any(Boolean) });
    }
    expect(told.bulk).toEqual({ supported: false, maxOperations: 0, maxPayloadSize: 0 });
    expect(told.authenticationSchemes).toMatchObject([
      { type: 'oauthbearertoken', name: expect.any(String), description: expect.any(String), primary: true },
    ]);
  });

  it('has users, with the enterprise extension, and groups (RFC 7643 section 6)', () => {
    const types = describeTypes(baseUrl);
    expect([...types.keys()]).toEqual(['User', 'Group']);
    expect(types.get('User')).toMatchObject({
      endpoint: '/Users',
      schema: schemas.user.id,
      schemaExtensions: [schemas.enterprise.id, schemas.own.id].map((schema) => ({ schema, required: false })),
    });
    expect(types.get('Group')).toMatchObject({ endpoint: '/Groups', schema: schemas.group.id, schemaExtensions: [] });
    expect(listAll(types)).toMatchObject({ totalResults: 2, startIndex: 1, itemsPerPage: 2, Resources: [...types.values()] });
  });
});
