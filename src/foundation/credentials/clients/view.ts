/** Credentials and service principals for clients; a public key concerns nobody and a secret is gone. */
import type { PersonalClient } from '../../../gen/c1/api/iam/v1/iam_pb.js';
import type { ServicePrincipalCredential, ServicePrincipal } from '../../../gen/c1/api/service_principal/v1/service_principal_pb.js';
import type { Credential } from '../../../gen/countersign/v1/credentials_pb.js';
import type { Actor } from '../../../context.ts';
import type { Row } from '../../../wire/row.ts';
import { isSuperAdmin } from '../../authority/index.ts';
import { shapeUser, type UserRow } from '../../directory/index.ts';
import type { CredentialRow, OwnedCredentialRow } from '../record/index.ts';

/** A credential as c1.api.iam.v1.PersonalClient. */
export function shapeCredential(row: CredentialRow): Row<PersonalClient> {
  return { ...row, expiresTime: row.expiresAt };
}

/** A service principal as c1.api.service_principal.v1.ServicePrincipal, seen by this actor. */
export function shapePrincipal(actor: Actor, user: UserRow): Row<ServicePrincipal> {
  const mayChange = isSuperAdmin(actor);
  return { ...user, objectPermissions: { read: true, edit: mayChange, delete: mayChange, extra: {} }, user: shapeUser(actor, user) };
}

/** Its credential as c1.api.service_principal.v1.ServicePrincipalCredential. */
export function shapePrincipalCredential(row: CredentialRow): Row<ServicePrincipalCredential> {
  return {
    ...row,
    servicePrincipalId: row.userId,
    scopedRoleIds: row.scopedRoles,
    allowSourceCidrs: row.allowSourceCidr,
    requireDpop: false,
  };
}

/** A credential of either kind with its owner, as countersign.v1.Credential. */
export function shapeOwnedCredential(row: OwnedCredentialRow): Row<Credential> {
  return { ...row, ownerDisplayName: row.ownerName };
}
