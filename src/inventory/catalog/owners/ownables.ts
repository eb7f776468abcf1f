/** Ownable things, and how to find them: apps, entitlements, resources, accounts and people. Sources are in the module sources. */
import { AppError } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { findUser } from '../../../foundation/directory/index.ts';
import {
  type Ownable,
  lockOwnedUser,
  requireApp,
  requireEntitlement,
  requireLiveAccount,
  requireLockedApp,
  requireLockedEntitlement,
  requireResource,
  setLockWait,
} from '../record/index.ts';

/** Something that can be owned. */
export interface OwnedThing {
  readonly of: Ownable;
  /** NOT_FOUND where it is not there, or no longer. */
  readonly require: (context: Context) => Promise<unknown>;
  /** The same, and nobody else changes its owners until the transaction ends. */
  readonly lock: (context: Context) => Promise<unknown>;
  /** Data of it in events beside its id. */
  readonly data: Readonly<Record<string, string>>;
}

/** An app. */
export const ownedApp = (appId: string): OwnedThing => ({
  of: { kind: 'app', appId, id: appId },
  require: (context) => requireApp(context, appId),
  lock: (context) => requireLockedApp(context, appId),
  data: {},
});

/** An entitlement. */
export const ownedEntitlement = (appId: string, id: string): OwnedThing => ({
  of: { kind: 'entitlement', appId, id },
  require: (context) => requireEntitlement(context, appId, id),
  lock: async (context) => {
    await requireApp(context, appId);
    await requireLockedEntitlement(context, appId, id);
  },
  data: { appId },
});

/** A resource. */
export const ownedResource = (appId: string, resourceTypeId: string, id: string): OwnedThing => ({
  of: { kind: 'resource', appId, id },
  require: (context) => requireResource(context, appId, resourceTypeId, id),
  lock: async (context) => {
    await requireLockedApp(context, appId);
    await requireResource(context, appId, resourceTypeId, id);
  },
  data: { appId, resourceTypeId },
});

/** An account. Whom it belongs to is another matter (identity). */
export const ownedAccount = (appId: string, id: string): OwnedThing => ({
  of: { kind: 'account', appId, id },
  require: (context) => requireLiveAccount(context, appId, id),
  lock: async (context) => {
    await requireLockedApp(context, appId);
    await requireLiveAccount(context, appId, id);
  },
  data: { appId },
});

/** A person. */
export const ownedUser = (id: string): OwnedThing => ({
  of: { kind: 'user', appId: '', id },
  require: async (context) => {
    if (((await findUser(context, id))?.status ?? 'DELETED') === 'DELETED') {
      throw noSuchUser();
    }
  },
  lock: async (context) => {
    await setLockWait(context);
    if (!(await lockOwnedUser(context, id))) {
      throw noSuchUser();
    }
  },
  data: {},
});

/** NOT_FOUND for a person in the path. */
export const noSuchUser = (): Error => new AppError('NOT_FOUND', 'There is no such user.');
