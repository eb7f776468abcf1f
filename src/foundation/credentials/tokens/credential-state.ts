/**
 * State behind a credential right now: its key, roles, addresses and end, remembered so shortly that a revocation, a demotion, a disabled owner, a
 * delegation or a change of the session settings acts within 5 s in every process.
 */
import { LRUCache } from 'lru-cache';
import type { KeyObject } from 'node:crypto';
import type { Database } from '../../../db/types.ts';
import type { RoleName } from '../../../context.ts';
import { isAdministrator, issuableOf, roleNames, withBasicUser } from '../../directory/index.ts';
import { type AddressCheck, compileCidrs, createMemory, importPublicKey } from '../record/index.ts';
import { compileSource, maxTokenSeconds, sourceOf } from '../settings/index.ts';
import { type CredentialStateRow, findCredentialState } from './store-tokens.ts';

/** A credential as signing in sees it. */
export interface CredentialState {
  readonly id: string;
  readonly clientId: string;
  readonly userId: string;
  /** The source whose connector it is for; empty for everybody else's. */
  readonly sourceId: string;
  readonly issuerId: string;
  /** True if it is a credential of a service principal. */
  readonly isPrincipal: boolean;
  /** Makers or issuer of it, and makers of those that are programs, as far as known. */
  readonly makerIds: readonly string[];
  /** True if what its issuer issued may answer now. */
  readonly issuedMayAnswer: boolean;
  readonly key: KeyObject;
  readonly publicKey: Buffer;
  readonly roles: ReadonlySet<RoleName>;
  /** By its own blocks and those that the tenant sets for its kind. */
  readonly allows: AddressCheck;
  /** The longest life of its tokens in seconds that the tenant sets; infinite where it sets none. */
  readonly maxTokenSeconds: number;
  /** Those whose tasks its owner may decide in their place. */
  readonly delegatorIds: readonly string[];
  /** Milliseconds since 1970; infinite where it never ends. */
  readonly expiresAt: number;
  /** Tokens from before this moment are good no more, in milliseconds since 1970: its owner was away since. */
  readonly awayAt: number;
  /** False once it is revoked or suspended, its owner is not enabled, whoever issued it was disabled, or credentials made by others are turned off. */
  readonly isUsable: boolean;
}

/** Finds credentials by client id. */
export interface CredentialStates {
  find(tenantId: string, clientId: string): CredentialState | undefined | Promise<CredentialState | undefined>;
  /** Forgets what this process remembers of a tenant, loads under way included: something was changed here. */
  forget(tenantId: string): void;
}

const keepMs = 4_000;
const max = 20_000;
/** The longest client id we make is shorter; longer ones are not even looked for. */
const maxClientIdLength = 300;

/** The roles a credential gives: none a connector's; its owner's, narrowed by its own, and to those that may be issued where somebody else made it. */
function effectiveRoles(row: Pick<CredentialStateRow, 'kind' | 'issuerId' | 'scopedRoles' | 'ownerRoleIds'>): ReadonlySet<RoleName> {
  if (row.kind === 'CONNECTOR') {
    return new Set();
  }
  const ownerRoleIds = withBasicUser(row.ownerRoleIds);
  const held = roleNames(row.issuerId === '' ? ownerRoleIds : issuableOf(ownerRoleIds));
  return row.scopedRoles.length === 0 ? held : new Set([...roleNames(row.scopedRoles)].filter((role) => held.has(role)));
}

function stateOf(row: CredentialStateRow): CredentialState {
  const { key, bytes } = importPublicKey(row.publicKey);
  const settings = row.sessionSettings ?? {};
  const isOwnSource = compileCidrs(row.allowSourceCidr);
  const isTenantSource = compileSource(settings, sourceOf(row.kind, isAdministrator(row.ownerRoleIds)));
  return {
    id: row.id,
    clientId: row.clientId,
    userId: row.userId,
    sourceId: row.sourceId,
    issuerId: row.issuerId,
    isPrincipal: row.kind === 'SERVICE',
    makerIds: row.makerIds,
    issuedMayAnswer: row.issuedMayAnswer,
    key,
    publicKey: bytes,
    roles: effectiveRoles(row),
    allows: (address) => isOwnSource(address) && isTenantSource(address),
    maxTokenSeconds: maxTokenSeconds(settings),
    delegatorIds: row.delegatorIds,
    expiresAt: row.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
    awayAt: row.awayAt?.getTime() ?? Number.NEGATIVE_INFINITY,
    isUsable:
      !row.isRevoked &&
      !row.isSuspended &&
      !row.isIssuerGone &&
      row.ownerStatus === 'ENABLED' &&
      (row.issuerId === '' || row.issuedAllowed),
  };
}

/** Makes the finder; `now` in milliseconds, `mailsLinks` says whether mail leaves this installation. */
export function createCredentialStates(database: Database, now: () => number, mailsLinks: boolean): CredentialStates {
  // Client ids that are none are remembered too: an unknown one must not take longer to refuse than a known one.
  const known = createMemory<CredentialState | undefined>({ keepMs, max, now });
  // How often each tenant was forgotten: part of what is looked for, so that a load from before is found by nobody.
  const times = new LRUCache<string, number>({ max });
  let last = 0;
  return {
    forget: (tenantId) => {
      times.set(tenantId, ++last);
    },
    find(tenantId, clientId) {
      if (clientId.length > maxClientIdLength) {
        return undefined;
      }
      return known.get(`${tenantId} ${times.get(tenantId) ?? 0} ${clientId}`, async () => {
        const row = await findCredentialState(database.tenant(tenantId), tenantId, clientId, new Date(now()), mailsLinks);
        return row === undefined ? undefined : stateOf(row);
      });
    },
  };
}
