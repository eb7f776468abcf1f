/** Report of the service about itself (RFC 7644 section 4, RFC 7643 sections 5 to 7): what it can do, its resource types and schemas. Pure. */
import type { JsonObject } from '@bufbuild/protobuf';
import { schemas, urns } from './document/index.ts';
import { maxPageSize } from './list-resources.ts';

/** Lists what the service can do. */
export function describeService(baseUrl: string): JsonObject {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: maxPageSize },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A token that an administrator makes for the app: POST /api/v1/apps/{app_id}/scim.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
  };
}

/** The resource types, by their ids. */
export function describeTypes(baseUrl: string): ReadonlyMap<string, JsonObject> {
  const type = (name: string, endpoint: string, schema: string, description: string, extensions: JsonObject[]): JsonObject => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: name,
    name,
    endpoint,
    description,
    schema,
    schemaExtensions: extensions,
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${name}` },
  });
  return new Map([
    [
      'User',
      type(
        'User',
        '/Users',
        urns.user,
        schemas.user.description,
        [urns.enterprise, urns.own].map((extension) => ({ schema: extension, required: false })),
      ),
    ],
    ['Group', type('Group', '/Groups', urns.group, schemas.group.description, [])],
  ]);
}

/** The schemas, by their ids. */
export function describeSchemas(baseUrl: string): ReadonlyMap<string, JsonObject> {
  return new Map(
    Object.values(schemas).map((schema) => [
      schema.id,
      {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
        ...(structuredClone(schema) as unknown as JsonObject),
        meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${schema.id}` },
      },
    ]),
  );
}

/** A list of all of them: discovery is not paged. */
export function listAll(resources: ReadonlyMap<string, JsonObject>): JsonObject {
  const list = [...resources.values()];
  return { schemas: [urns.list], totalResults: list.length, startIndex: 1, itemsPerPage: list.length, Resources: list };
}
