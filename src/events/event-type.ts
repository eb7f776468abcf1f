/** Catalogue entry of one kind of event. */
import { maybe, type Members, record, text, texts } from './members.ts';

/** Kind of act for whoever collects logs: the activities of OCSF's class "API Activity". */
export type Activity = 'create' | 'read' | 'update' | 'delete' | 'other';

/** One kind of event; its name is object and verb, and never changes. Its sentences stand in words-en.ts and the files beside it. */
export interface EventType {
  /** The table-like name of what it happens to. Where there are several, whoever writes the event says which. */
  readonly target: string | readonly string[];
  readonly activity: Activity;
  /** True if something was refused or did not succeed. */
  readonly isFailure?: true;
  /** `false` for what may be recorded outside a transaction: nothing changes by it, or it is one statement with its change. */
  readonly transaction?: false;
  /** Members are only ever added. Never a secret, since the system log shows them. */
  readonly data: Members;
}

/** Change of owners, of whatever has owners. */
export const ownersChange = {
  appId: maybe(text),
  resourceTypeId: maybe(text),
  roleSlug: maybe(text),
  added: texts,
  removed: texts,
  order: maybe(texts),
  entitlements: maybe(record),
};
