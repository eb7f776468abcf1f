/**
 * The kinds beside the catalog: values of attributes, access profiles, credentials, programs, policies, reviews.
 */
import { COMPLIANCE_FRAMEWORK, RISK_LEVEL } from '../../../src/inventory/classifications/index.ts';
import { ROLES } from '../../../src/foundation/directory/index.ts';
import type { Kind } from './kind.ts';

const attributeValue: Kind = {
  name: 'attribute value',
  at: 'value',
  create: 'AttributeService.createAttributeValue',
  make: (_stage, label) => ({ fields: { attributeTypeId: RISK_LEVEL.id, value: `Value ${label}` } }),
  path: (_stage, { id }) => ({ id, attribute_type_id: RISK_LEVEL.id }),
  get: 'AttributeService.getAttributeValue',
  lists: ['AttributeService.listAttributeValues', 'RiskLevelService.listRiskLevels'],
  searches: { 'AttributeService.searchAttributeValues': ({ id }) => ({ ids: [id] }) },
  remove: 'AttributeService.deleteAttributeValue',
};

const riskLevel: Kind = {
  ...attributeValue,
  name: 'risk level',
  create: 'RiskLevelService.createRiskLevelAttributeValue',
  make: (_stage, label) => ({ fields: { value: `Level ${label}` } }),
  get: 'RiskLevelService.getRiskLevelAttributeValue',
  remove: 'RiskLevelService.deleteRiskLevelAttributeValue',
};

const complianceFramework: Kind = {
  ...attributeValue,
  name: 'compliance framework',
  create: 'ComplianceFrameworkService.createComplianceFrameworkAttributeValue',
  make: (_stage, label) => ({ fields: { value: `Framework ${label}` } }),
  path: (_stage, { id }) => ({ id, attribute_type_id: COMPLIANCE_FRAMEWORK.id }),
  get: 'ComplianceFrameworkService.getComplianceFrameworkAttributeValue',
  lists: ['AttributeService.listAttributeValues', 'ComplianceFrameworkService.listComplianceFrameworks'],
  remove: 'ComplianceFrameworkService.deleteComplianceFrameworkAttributeValue',
};

const accessProfile: Kind = {
  name: 'access profile',
  at: 'requestCatalogView.requestCatalog',
  row: 'requestCatalog',
  create: 'RequestCatalogManagementService.create',
  make: (_stage, label) => ({ fields: { displayName: `Profile ${label}`, description: 'Made', published: true, annotations: { a: 'b' } } }),
  path: (_stage, { id }) => ({ id }),
  get: 'RequestCatalogManagementService.get',
  lists: ['RequestCatalogManagementService.list'],
  change: {
    operation: 'RequestCatalogManagementService.update',
    member: 'catalog',
    required: () => ({ displayName: 'Profile again' }),
  },
  remove: 'RequestCatalogManagementService.delete',
};

/**
 * A name of one word: a search of credentials looks for each word on its own, in client ids too, and the digits of one may hold the number
 * in the name of another.
 */
const keyName = (label: string): string => `Key-${label.replaceAll(' ', '-')}`;

const personalClient: Kind = {
  name: 'personal client',
  at: 'client',
  create: 'PersonalClientService.create',
  make: (_stage, label) => ({ fields: { displayName: keyName(label), allowSourceCidr: ['192.0.2.0/24'], expires: '2592000s' } }),
  path: (_stage, { id }) => ({ id }),
  get: 'PersonalClientService.get',
  lists: ['PersonalClientService.list'],
  searches: { 'PersonalClientSearchService.search': ({ displayName }) => ({ query: displayName }) },
  change: {
    operation: 'PersonalClientService.update',
    member: 'client',
    values: () => ({ allowSourceCidr: ['198.51.100.0/24', '2001:db8::/32'], scopedRoles: [ROLES.BASIC_USER.id] }),
    required: () => ({ displayName: keyName('again') }),
  },
  remove: 'PersonalClientService.delete',
};

const elsewhere = 'a user of its own, changed by the operations about users';

const servicePrincipal: Kind = {
  name: 'service principal',
  at: 'servicePrincipal',
  create: 'ServicePrincipalService.create',
  make: (_stage, label) => ({ fields: { displayName: `Program ${label}` } }),
  path: (_stage, { id }) => ({ id }),
  get: 'ServicePrincipalService.get',
  lists: ['ServicePrincipalService.list'],
  change: {
    operation: 'ServicePrincipalService.update',
    member: 'servicePrincipal',
    refused: { user: elsewhere, objectPermissions: 'computed for the caller' },
    required: () => ({ displayName: 'Program again' }),
    // Its user has its name.
    always: ['user'],
  },
  remove: 'ServicePrincipalService.delete',
};

const principalCredential: Kind = {
  name: 'credential of a service principal',
  at: 'credential',
  create: 'ServicePrincipalService.createCredential',
  make: (stage, label) => ({
    path: { service_principal_id: stage.principalId },
    fields: { displayName: keyName(label), allowSourceCidrs: ['192.0.2.0/24'], expires: '86400s' },
  }),
  path: (stage, { id }) => ({ service_principal_id: stage.principalId, id }),
  get: 'ServicePrincipalService.getCredential',
  lists: ['ServicePrincipalService.listCredentials'],
  change: {
    operation: 'ServicePrincipalService.updateCredential',
    member: 'credential',
    required: () => ({ displayName: keyName('again') }),
  },
  remove: 'ServicePrincipalService.revokeCredential',
};

// Not under `certify`, so that a policy has room for another one as its baseline.
const steps = { own: { steps: [{ approval: { manager: { fallback: true } } }] } };

const policy: Kind = {
  name: 'policy',
  at: 'policy',
  create: 'PolicyService.create',
  make: (_stage, label) => ({
    fields: { displayName: `Policy ${label}`, description: 'Made', policyType: 'POLICY_TYPE_CERTIFY', policySteps: steps },
  }),
  path: (_stage, { id }) => ({ id }),
  get: 'PolicyService.get',
  lists: ['PolicyService.list'],
  searches: { 'PolicyService.search': ({ id }) => ({ refs: [{ id }] }) },
  change: {
    operation: 'PolicyService.update',
    member: 'policy',
    values: ({ policyId }) => ({
      policyType: 'POLICY_TYPE_CERTIFY',
      baselinePolicyId: policyId,
      policySteps: { own: { steps: [{ approval: { self: {}, requireApprovalReason: true } }] } },
      rules: [{ condition: 'true', stepKey: 'own' }],
    }),
    required: () => ({ displayName: 'Policy again', policyType: 'POLICY_TYPE_CERTIFY', policySteps: steps }),
  },
  remove: 'PolicyService.delete',
  tombstone: ['PolicyService.search', 'includeDeleted'],
};

const review: Kind = {
  name: 'access review',
  at: 'accessReview.accessReview',
  row: 'accessReview',
  create: 'AccessReviewService.create',
  make: (stage, label) => ({ fields: { displayName: `Review ${label}`, description: 'Made', ownerIds: [stage.server.admin.id] } }),
  path: (_stage, { id }) => ({ id }),
  get: 'AccessReviewService.get',
  lists: ['AccessReviewService.list'],
  change: {
    operation: 'AccessReviewService.update',
    member: 'accessReview',
    values: () => ({
      daysSinceAdded: '7776000s',
      daysSinceLastUsed: '90',
      daysSinceReviewed: '30',
      tspUrl: 'https://tsa.example/stamp',
      expression: 'subject.displayName == ""',
    }),
    refused: { scopeType: 'set when it is made, and never again' },
    required: () => ({ displayName: 'Review again' }),
  },
  remove: 'AccessReviewService.delete',
};

/** All of them. */
export const accessKinds: readonly Kind[] = [
  attributeValue,
  riskLevel,
  complianceFramework,
  accessProfile,
  personalClient,
  servicePrincipal,
  principalCredential,
  policy,
  review,
];
