/** The OpenAPI document: whole, true to the contract, and valid by its own standard. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { type DescService, fromJson, type JsonValue } from '@bufbuild/protobuf';
import { beforeAll, describe, expect, it } from 'vitest';
import { listContractServices } from '../../../test/support/contract.ts';
import type { BoundService } from '../../wire/service.ts';
import { describeApi } from './openapi.ts';
import { requireAct, rolesByPermission } from '../../foundation/authority/index.ts';
import { methodDemand } from '../permissions.ts';
import { requestExamples } from './request-examples.ts';
import { contractRoute } from '../route-of.ts';

let services: DescService[];
// any: a JSON document of no type of ours, read member by member.
type Loose = any;

let api: Loose;

beforeAll(async () => {
  services = await listContractServices();
  const run = async (): Promise<unknown> => ({});
  const bound: BoundService[] = services.map((desc) => ({ desc, methods: desc.methods.map((method) => ({ desc: method, run })) }));

  api = JSON.parse(describeApi(bound));
});

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1 whose references all lead somewhere', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(api));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
    const referred = new Set(
      [...JSON.stringify(api).matchAll(/"\$ref":"#\/components\/(schemas|responses)\/([^"]+)"/g)].map((match) => `${match[1]} ${match[2]}`),
    );
    for (const name of referred) {
      const [kind = '', key = ''] = name.split(' ');
      expect(api.components[kind][key], name).toBeDefined();
    }
  });

  it('has every method of the contract, with its parameters, errors and a name of its own', () => {
    const names = new Set<string>();
    for (const method of services.flatMap((service) => service.methods)) {
      const { template, verb, parameters, hasBody } = contractRoute(method);
      const operation = api.paths[template][verb.toLowerCase()];
      names.add(operation.operationId);
      const inPath = (operation.parameters ?? [])
        .filter((parameter: Loose) => parameter.in === 'path')
        .map((parameter: Loose) => parameter.name);
      expect(inPath.sort()).toEqual([...parameters].sort());
      expect(operation.requestBody !== undefined).toBe(hasBody);
      expect(Object.keys(operation.responses)).toEqual([
        '200',
        '400',
        '401',
        '403',
        '404',
        '405',
        '409',
        '413',
        '414',
        '415',
        '429',
        '500',
        '503',
      ]);
      expect(operation.security).toBeUndefined();
    }
    expect(names.size).toBe(services.flatMap((service) => service.methods).length);
    expect(api.security).toEqual([{ bearer: [] }, { clientCredentials: [] }]);
  });

  it('has the token endpoint, which takes a form and no token', () => {
    const { post } = api.paths['/auth/v1/token'];
    expect(post.security).toEqual([]);
    expect(Object.keys(post.requestBody.content)).toEqual(['application/x-www-form-urlencoded']);
  });

  it('tells oneofs, server-owned fields and 64-bit integers', () => {
    const review = api.components.schemas['c1.api.accessreview.v1.AccessReview'];
    expect(review.properties.createdAt).toEqual({
      type: 'string',
      format: 'date-time',
      readOnly: true,
      description: 'When it was created.',
    });
    expect(
      review.allOf[0].oneOf
        .slice(0, 3)
        .map((one: Loose) => one.required[0])
        .sort(),
    ).toEqual(['bindings', 'multiApp', 'singleApp']);
    expect(api.components.schemas['c1.api.task.v1.Task'].properties.numericId.type).toBe('string');
  });
});

describe('permissions', () => {
  const actor = (...roles: string[]) => ({ roles: new Set(roles) }) as never;

  it('are named by every method, and all of the table are used', () => {
    const used = new Set(services.flatMap((service) => service.methods).map((method) => methodDemand(method).permission));
    for (const permission of used) {
      expect(rolesByPermission[permission].length).toBeGreaterThan(0);
    }
    expect(
      Object.keys(rolesByPermission).filter(
        (name) => !used.has(name as never) && !['roles.read', 'users.read', 'self.read'].includes(name),
      ),
    ).toEqual([]);
  });

  it('let a Super Administrator do everything, and a reader of the system log only that and its proofs', () => {
    for (const permission of Object.keys(rolesByPermission) as (keyof typeof rolesByPermission)[]) {
      expect(() => requireAct(actor('SUPER_ADMINISTRATOR'), { permission, act: 'READ' })).not.toThrow();
      const asReader = () => requireAct(actor('READ_ONLY_SYSTEM_LOGS'), { permission, act: 'READ' });
      if (permission === 'systemlog.read' || permission === 'log.read') {
        asReader();
      } else {
        expect(asReader).toThrow(expect.objectContaining({ code: 'PERMISSION_DENIED' }));
      }
    }
  });

  it('let a Read-Only Administrator change nothing but what everybody may', () => {
    for (const [permission, roles] of Object.entries(rolesByPermission) as [keyof typeof rolesByPermission, readonly string[]][]) {
      if (!roles.includes('BASIC_USER') && roles.includes('READ_ONLY_ADMINISTRATOR')) {
        expect(permission).toMatch(/\.read$/);
      }
    }
    expect(() => requireAct(actor(), { permission: 'self.read', act: 'READ' })).toThrow();
  });

  it('let a credential that is narrowed to reading change nothing, whosever the object is', () => {
    const changing = services
      .flatMap((service) => service.methods)
      .filter((method) => methodDemand(method).act !== 'READ')
      .filter((method) => (rolesByPermission[methodDemand(method).permission] as readonly string[]).includes('READ_ONLY_ADMINISTRATOR'));
    // It renames and revokes itself alone: a credential that leaked must have an end.
    expect(changing.map(({ name }) => name).sort()).toEqual(['Delete', 'Update']);
  });

  it('says in a sentence what each operation is for', () => {
    for (const method of services.flatMap((service) => service.methods)) {
      const { template, verb } = contractRoute(method);
      const { summary, description } = api.paths[template][verb.toLowerCase()];
      expect([method.name, summary]).toEqual([method.name, expect.stringMatching(/^[A-Z]\w+ \S+ .*[^.]$/s)]);
      expect(description).toMatch(/^[A-Z].*\. Needs the permission /s);
    }
  });

  it('says of most fields what they are: by the comment of the contract, or by a name that means the same everywhere', () => {
    expect(api.components.schemas['c1.api.policy.v1.ManagerApproval'].properties.fallbackUserIds.description).toBe(
      'Ids of the people who are asked if nobody is found.',
    );
    const roles = api.components.schemas['countersign.v1.UserRoleServiceGetRolesResponse'].properties.roleIds;
    expect(roles.description).toBe('Ids of the roles held; Basic User, which everybody holds, is always among them.');
    const fields = Object.values(api.components.schemas).flatMap((schema: Loose) => Object.values(schema.properties ?? {}));
    const described = fields.filter((field: Loose) => field.description !== undefined);
    expect(described.length / fields.length).toBeGreaterThan(0.35);
  });

  it('has examples that the contract takes', () => {
    const methods = services.flatMap((service) => service.methods);
    for (const [name, examples] of Object.entries(requestExamples)) {
      const method = methods.find((one) => `${one.parent.typeName}.${one.name}` === name);
      for (const { value } of Object.values(examples)) {
        expect(() => fromJson(method!.input, value as JsonValue, { ignoreUnknownFields: false })).not.toThrow();
      }
    }
    const { examples } = api.paths['/api/v1/policies'].post.requestBody.content['application/json'];
    expect(Object.keys(examples)).toEqual(['manager', 'owners', 'people']);
  });
});
