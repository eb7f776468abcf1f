/**
 * How a credential looks outside; its public key is nobody's business and its secret is gone.
 */
import { PersonalClientSchema, type PersonalClientJson } from '../../gen/c1/api/iam/v1/iam_pb.js';
import { shape, timestamp } from '../../wire/reply.ts';
import type { CredentialRow } from './store.ts';

/** A credential as c1.api.iam.v1.PersonalClient. */
export function shapeCredential(row: CredentialRow): PersonalClientJson {
  return shape(PersonalClientSchema, {
    id: row.id,
    clientId: row.clientId,
    userId: row.userId,
    issuerId: row.issuerId,
    displayName: row.displayName,
    scopedRoles: row.scopedRoles,
    allowSourceCidr: row.allowSourceCidr,
    expiresTime: timestamp(row.expiresAt),
    lastUsedAt: timestamp(row.lastUsedAt),
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
    deletedAt: timestamp(row.deletedAt),
  });
}
