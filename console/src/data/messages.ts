/** Messages of the contract, for what takes their cases and members as types. No code. */
export type { Approval, Escalation, PolicyStep, Wait } from '../../../src/gen/c1/api/policy/v1/policy_pb.js';
export type { EntraSettings } from '../../../src/gen/countersign/v1/entra_pb.js';
export type { BatonSettings, FolderSettings, SqlSettings } from '../../../src/gen/countersign/v1/fetches_pb.js';
export type { HttpsSettings, S3Settings } from '../../../src/gen/countersign/v1/files_pb.js';
export type { LdapSettings } from '../../../src/gen/countersign/v1/ldap_pb.js';
