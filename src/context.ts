/**
 * First argument of rules and store functions: for whom, by whom, when, and through which connection. There is no module-level connection or clock
 * anywhere. What an actor may do is not here (src/foundation/authority).
 */
import type { JsonObject } from '@bufbuild/protobuf';
import type { Db } from './db/types.ts';
import type { OccurredEvent } from './events/index.ts';

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

/**
 * Way somebody comes to act. The first four are people: signed in themselves, with a credential that they made themselves, and the same by what
 * somebody else issued to them (a printed link, an issued credential). A source is an identity provider that pushes with its SCIM token.
 */
export type ActorKind =
  | 'session'
  | 'credential'
  | 'issued_session'
  | 'issued_credential'
  | 'service_principal'
  | 'source'
  | 'system'
  | 'anonymous';

/** Actor. Ids are empty strings where there is none. */
export interface Actor {
  readonly kind: ActorKind;
  readonly userId: string;
  /** The session, where the request came with one instead of an access token; the source of a SCIM token. */
  readonly credentialId: string;
  /** The person who issued the credential or the session to `userId`, where that was somebody else. */
  readonly issuerId: string;
  /**
   * Those who made or issued what this actor acts through, and who made those that are programs; also the people who were merged into the person who
   * acts. Absent for nobody.
   */
  readonly makerIds?: readonly string[];
  /** True if the tenant lets what was issued answer now; absent where nothing was issued. See `refuseAnswer` of the module authority. */
  readonly issuedMayAnswer?: boolean;
  readonly roles: ReadonlySet<RoleName>;
  /** The moment at which whoever acts in a session last proved who they are; absent for a credential, whose secret proves it. */
  readonly provenAt?: Date;
  /** Those whose tasks this person may decide in their place now; absent for nobody. */
  readonly delegatorIds?: readonly string[];
  readonly sourceIp: string;
  readonly requestId: string;
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
  /** What the request would have been without the change, where its client says so: what it read before. See `refuseStale` of the module audit. */
  readonly asRead?: JsonObject | undefined;
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

/** The actor of a request by which nobody is known: whoever signs in, or needs not. */
export function anonymousActor({ sourceIp, requestId }: Pick<Actor, 'sourceIp' | 'requestId'>): Actor {
  return { kind: 'anonymous', userId: '', credentialId: '', issuerId: '', roles: new Set(), sourceIp, requestId };
}

/** Sets nothing in motion by events: for tests of what does not depend on it. @internal */
export const noReactions: React = async () => undefined;

/** A logger that says nothing, for tests. */
export const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLogger,
};
