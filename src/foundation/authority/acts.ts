/**
 * May this actor do this at all: the permission of an operation, and what kind of act it is. Asked at every door before anything is read; whose
 * objects somebody reaches is asked by the rules of the modules.
 */
import type { Actor } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { isBySession } from './actors.ts';
import { requireAnswer } from './answer.ts';
import { holds, type Permission, rolesByPermission } from './permissions.ts';

/** Kind of act that an operation is; the contract says which (`countersign.act`). */
export type Act = 'READ' | 'CHANGE' | 'ANSWER';

/** Rights an operation asks of its caller. */
export interface Demand {
  readonly permission: Permission;
  readonly act: Act;
}

/** PERMISSION_DENIED unless one of the actor's roles holds the permission, and the actor is of a kind that may act so. */
export function requireAct(actor: Actor, { permission, act }: Demand): void {
  if (!holds(actor, permission)) {
    const names = rolesByPermission[permission].map((role) => roleTitles[role]).join(', ');
    throw new AppError('PERMISSION_DENIED', `This needs the permission ${permission}, which these roles hold: ${names}.`);
  }
  if (act === 'ANSWER') {
    requireAnswer(actor);
  }
}

/** PERMISSION_DENIED unless the actor came with a session: what belongs to the browser of a person is for no credential and no program. */
export function requireSession(actor: Actor): void {
  if (!isBySession(actor)) {
    throw new AppError('PERMISSION_DENIED', 'This is for people who signed in: a credential, and a service principal, cannot.');
  }
}

const roleTitles = {
  SUPER_ADMINISTRATOR: 'Super Administrator',
  CAMPAIGN_ADMINISTRATOR: 'Campaign Administrator',
  READ_ONLY_ADMINISTRATOR: 'Read-Only Administrator',
  BASIC_USER: 'Basic User',
  READ_ONLY_SYSTEM_LOGS: 'Read-Only to System Logs',
} as const;
