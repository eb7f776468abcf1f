/**
 * What every rule and store function takes first: for whom, by whom, when, and through which connection.
 * There is no module-level connection or clock anywhere. What a role may do is not here (src/domains/directory/permissions.ts).
 */
import type { Db } from './db/types.ts';

/** The fixed roles of the product; their ids and display names stand with the Role operations. */
export type RoleName =
  | 'SUPER_ADMINISTRATOR'
  | 'CAMPAIGN_ADMINISTRATOR'
  | 'READ_ONLY_ADMINISTRATOR'
  | 'BASIC_USER'
  | 'READ_ONLY_SYSTEM_LOGS';

/** The part of a pino logger that we use. */
export interface Logger {
  debug(fields: object, message?: string): void;
  info(fields: object, message?: string): void;
  warn(fields: object, message?: string): void;
  error(fields: object, message?: string): void;
  child(bindings: Record<string, unknown>): Logger;
}

/** Who acts. Ids are empty strings where there is none. */
export interface Actor {
  readonly kind: 'user' | 'system' | 'anonymous';
  readonly userId: string;
  /** The session, where the request came with one instead of an access token. */
  readonly credentialId: string;
  /** Whether `credentialId` is a session of a browser. */
  readonly isSession?: boolean;
  /** The person who issued the credential to `userId`, where that was somebody else. */
  readonly issuerId: string;
  readonly roles: ReadonlySet<RoleName>;
  /** Those whose tasks this person may decide in their place now; absent for nobody. */
  readonly delegatorIds?: readonly string[];
  readonly sourceIp: string;
  readonly requestId: string;
}

/** An event as far as a reaction may look at it: all of it but its id and who made it. */
export interface OccurredEvent {
  readonly kind: string;
  readonly targetType?: string;
  readonly targetId?: string;
  readonly data?: object;
}

/** Calls for the jobs that an event sets in motion, in the transaction of the event. Which those are is listed in src/reactions.ts. */
export type React = (context: Context, event: OccurredEvent) => Promise<void>;

/** For whom, by whom, when. `now` is one moment for a whole request or chunk. */
export interface Context {
  readonly db: Db;
  readonly tenantId: string;
  readonly actor: Actor;
  readonly now: Date;
  readonly log: Logger;
  /** Whoever writes an event calls this; recordEvent does. No context can be made without it, so that no event goes unheard. */
  readonly react: React;
}

/** Runs `work` in a transaction, in the one already open where there is one; see `Db.transaction` about being run again. */
export function inTransaction<T>(context: Context, work: (context: Context) => Promise<T>): Promise<T> {
  if (context.db.inTransaction) {
    return work(context);
  }
  return context.db.transaction((db) => work({ ...context, db }));
}

/** The actor of work nobody asked for in a request: jobs, migrations, start-up. `requestId` ties its log lines and events together. */
export function systemActor(requestId: string): Actor {
  return { kind: 'system', userId: '', credentialId: '', issuerId: '', roles: new Set(), sourceIp: '', requestId };
}

/** Events set nothing in motion: for tests of what does not depend on it. */
export const noReactions: React = async () => undefined;

/** A logger that says nothing, for tests. */
export const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLogger,
};
