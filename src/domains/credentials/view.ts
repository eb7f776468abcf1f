/**
 * How credentials and service principals look outside; a public key concerns nobody and a secret is gone.
 */
import { ActorObjectPermissionsSchema } from '../../gen/c1/api/authorization/v1/authorization_pb.js';
import { PersonalClientSchema, type PersonalClientJson } from '../../gen/c1/api/iam/v1/iam_pb.js';
import {
  type ServicePrincipalCredentialJson,
  ServicePrincipalCredentialSchema,
  type ServicePrincipalJson,
  ServicePrincipalSchema,
} from '../../gen/c1/api/service_principal/v1/service_principal_pb.js';
import { type CredentialJson, CredentialSchema } from '../../gen/countersign/v1/credentials_pb.js';
import type { Actor } from '../../context.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { isSuperAdmin, shapeUser, type UserRow } from '../directory/index.ts';
import type { CredentialRow, OwnedCredentialRow } from './store.ts';

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

/** A service principal as c1.api.service_principal.v1.ServicePrincipal, seen by this actor. */
export function shapePrincipal(actor: Actor, user: UserRow): ServicePrincipalJson {
  const mayChange = isSuperAdmin(actor);
  return shape(ServicePrincipalSchema, {
    id: user.id,
    displayName: user.displayName,
    objectPermissions: shape(ActorObjectPermissionsSchema, { read: true, edit: mayChange, delete: mayChange }),
    user: shapeUser(user),
    createdAt: timestamp(user.createdAt),
    updatedAt: timestamp(user.updatedAt),
  });
}

/** Its credential as c1.api.service_principal.v1.ServicePrincipalCredential. */
export function shapePrincipalCredential(row: CredentialRow): ServicePrincipalCredentialJson {
  return shape(ServicePrincipalCredentialSchema, {
    id: row.id,
    servicePrincipalId: row.userId,
    clientId: row.clientId,
    displayName: row.displayName,
    scopedRoleIds: row.scopedRoles,
    allowSourceCidrs: row.allowSourceCidr,
    requireDpop: false,
    expiresAt: timestamp(row.expiresAt),
    lastUsedAt: timestamp(row.lastUsedAt),
    createdAt: timestamp(row.createdAt),
  });
}

/** A credential of either kind with its owner, as countersign.v1.Credential. */
export function shapeOwnedCredential(row: OwnedCredentialRow): CredentialJson {
  return shape(CredentialSchema, {
    id: row.id,
    kind: `CREDENTIAL_KIND_${row.kind}`,
    clientId: row.clientId,
    displayName: row.displayName,
    userId: row.userId,
    ownerDisplayName: row.ownerName,
    ownerEmail: row.ownerEmail,
    ownerStatus: row.ownerStatus,
    issuerId: row.issuerId,
    scopedRoles: row.scopedRoles,
    allowSourceCidr: row.allowSourceCidr,
    createdAt: timestamp(row.createdAt),
    expiresAt: timestamp(row.expiresAt),
    lastUsedAt: timestamp(row.lastUsedAt),
  });
}
