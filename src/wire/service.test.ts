/** Services of the contract put together from the parts that modules bind. */
import { expect, it } from 'vitest';
import { RiskLevelService } from '../gen/c1/api/attribute/v1/risk_level_service_pb.js';
import { implementPart, joinServices } from './service.ts';

const answer = async () => ({}) as never;

it('joins the parts of a service in the order of the contract', () => {
  const services = joinServices([
    implementPart(RiskLevelService, { listRiskLevels: answer, deleteRiskLevelAttributeValue: answer }),
    implementPart(RiskLevelService, { getRiskLevelAttributeValue: answer, createRiskLevelAttributeValue: answer }),
  ]);
  expect(services).toHaveLength(1);
  expect(services[0]?.methods.map((method) => method.desc.localName)).toEqual([
    'createRiskLevelAttributeValue',
    'deleteRiskLevelAttributeValue',
    'getRiskLevelAttributeValue',
    'listRiskLevels',
  ]);
});

it('refuses a method that two parts bind', () => {
  const part = implementPart(RiskLevelService, { listRiskLevels: answer });
  expect(() => joinServices([part, part])).toThrow('c1.api.attribute.v1.RiskLevelService.ListRiskLevels is bound twice.');
});

it('refuses a service of which no part binds a method', () => {
  const part = implementPart(RiskLevelService, { listRiskLevels: answer });
  expect(() => joinServices([part])).toThrow('c1.api.attribute.v1.RiskLevelService.CreateRiskLevelAttributeValue is not implemented');
});
