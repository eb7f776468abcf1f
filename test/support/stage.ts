/**
 * A server with two tenants and a small company in the first, for tests that go through whole lives of things. Requests are made by the
 * name of their operation; each reply is held to the contract as it came over the wire, and an error to the shape of errors.
 */
import type { Registry } from '@bufbuild/protobuf';
import { expect } from 'vitest';
import { checkReply } from '../../src/wire/check-reply.ts';
import type { Answer, Loose } from './api.ts';
import { loadContractRegistry } from './contract.ts';
import { listOperations, type Operation, type Sample, send } from './operations.ts';
import { type ServedTenant, useTestServer, type TestPerson, type TestServer } from './server.ts';

/** The company and how to ask its server. */
export interface Stage {
  readonly server: TestServer;
  /** Another tenant of the same server, with nothing in it. */
  readonly other: ServedTenant;
  readonly people: readonly TestPerson[];
  readonly appId: string;
  readonly resourceTypeId: string;
  readonly resourceId: string;
  readonly entitlementId: string;
  readonly riskLevelId: string;
  readonly frameworkId: string;
  readonly principalId: string;
  /** One that reviews can be led by. */
  readonly policyId: string;
  /** The operation with this name; throws for none. */
  find(name: string): Operation;
  /** Sends it as the administrator of our tenant, or of another. */
  ask(name: string, sample?: Sample, tenant?: ServedTenant): Promise<Answer>;
  /** The reply, which must be 200. */
  ok(name: string, sample?: Sample): Promise<Loose>;
  /** All rows of a list, read page by page. */
  all(name: string, sample?: Sample, pageSize?: number): Promise<Loose[]>;
  stop(): Promise<void>;
}

/** Fails unless an answer is one the contract knows: a whole reply, or an error with its code and message. */
export function expectShape(operation: Operation, answer: Answer, registry: Registry): void {
  if (answer.status === 200) {
    expect(() => checkReply(operation.desc.output, answer.body, registry)).not.toThrow();
    return;
  }
  expect({ name: operation.name, ...answer.body }).toEqual({
    name: operation.name,
    code: expect.any(Number),
    message: expect.stringMatching(/\S/),
    details: expect.any(Array),
  });
}

/** Starts the server and makes the company. */
export async function openStage(): Promise<Stage> {
  const server = await useTestServer();
  const other = await server.makeTenant('other.example');
  const registry = await loadContractRegistry();
  const operations = new Map((await listOperations()).map((operation) => [operation.name, operation]));
  const find = (name: string): Operation => {
    const operation = operations.get(name);
    if (operation === undefined) {
      throw new Error(`the contract has no operation ${name}`);
    }
    return operation;
  };
  const ask = async (name: string, sample: Sample = {}, tenant: ServedTenant = server): Promise<Answer> => {
    const operation = find(name);
    const answer = await send(tenant, tenant.admin, operation, sample);
    expectShape(operation, answer, registry);
    return answer;
  };
  const ok = async (name: string, sample: Sample = {}): Promise<Loose> => {
    const { status, body } = await ask(name, sample);
    expect([name, status, body.message]).toEqual([name, 200, body.message]);
    return body;
  };
  const all = async (name: string, sample: Sample = {}, pageSize = 100): Promise<Loose[]> => {
    const rows: Loose[] = [];
    let token = '';
    do {
      const page = await ok(name, { ...sample, fields: { ...sample.fields, page_size: pageSize, page_token: token } });
      rows.push(...page.list);
      token = page.nextPageToken;
    } while (token !== '');
    return rows;
  };
  const people: TestPerson[] = [];
  for (const name of ['ann', 'bob', 'cid']) {
    people.push(await server.makePerson(`${name}@stage.example`));
  }
  const appId: string = (await ok('AppService.create', { fields: { displayName: 'Stage' } })).app.id;
  const type = await ok('AppResourceTypeService.createManuallyManagedResourceType', {
    path: { app_id: appId },
    fields: { displayName: 'Groups', resourceType: 'GROUP' },
  });
  const resourceTypeId: string = type.appResourceType.id;
  const resource = await ok('AppResourceService.createManuallyManagedAppResource', {
    path: { app_id: appId, app_resource_type_id: resourceTypeId },
    fields: { displayName: 'Everybody' },
  });
  const resourceId: string = resource.appResource.id;
  const entitlement = await ok('AppEntitlementService.create', {
    path: { app_id: appId },
    fields: { displayName: 'Member', appResourceTypeId: resourceTypeId, appResourceId: resourceId },
  });
  const newValue = async (operation: string): Promise<string> => (await ok(operation, { fields: { value: 'Stage' } })).value.id;
  const { servicePrincipal } = await ok('ServicePrincipalService.create', { fields: { displayName: 'Stage' } });
  const policies = await ok('PolicyService.search', { fields: { policyTypes: ['POLICY_TYPE_CERTIFY'] } });
  return {
    server,
    other,
    people,
    appId,
    resourceTypeId,
    resourceId,
    entitlementId: entitlement.appEntitlementView.appEntitlement.id,
    riskLevelId: await newValue('RiskLevelService.createRiskLevelAttributeValue'),
    frameworkId: await newValue('ComplianceFrameworkService.createComplianceFrameworkAttributeValue'),
    principalId: servicePrincipal.id,
    policyId: policies.list[0].id,
    find,
    ask,
    ok,
    all,
    stop: () => server.stop(),
  };
}
