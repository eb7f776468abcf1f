/** Sender of these requests, and what each change begins with: the source, its app, the locks. */
import type { Context } from '../../context.ts';
import { isId } from '../../wire/ids.ts';
import { requireLockedApp, setLockWait } from '../catalog/index.ts';
import { lockRoles } from '../../foundation/directory/index.ts';
import { type ResourceKind, type ResourceRow, ScimError, findResource } from './document/index.ts';

/** The source an identity provider speaks for. */
export interface ScimSource {
  readonly id: string;
  readonly appId: string;
  /** Number that its grants and accounts carry. */
  readonly sourceNo: number;
  readonly displayName: string;
}

/** Waits for whoever else changes the app's inventory. Whoever may disable people takes the lock of roles first, as imports of people do. */
export async function lockSource(context: Context, source: ScimSource, mayDisable: boolean): Promise<void> {
  await setLockWait(context);
  if (mayDisable) {
    await lockRoles(context);
  }
  await requireLockedApp(context, source.appId);
}

/** The resource with this id; 404 for none, and 412 where it is not of the version that is asked for. */
export async function requireResource(
  context: Context,
  source: ScimSource,
  kind: ResourceKind,
  id: string,
  ifMatch: string | undefined = undefined,
): Promise<ResourceRow> {
  const row = isId(id) ? await findResource(context, source.id, kind, id) : undefined;
  if (row === undefined) {
    throw new ScimError(404, '', `There is no ${kind === 'USER' ? 'user' : 'group'} with the id ${JSON.stringify(id.slice(0, 64))}.`);
  }
  if (ifMatch !== undefined && !namesVersion(ifMatch, row)) {
    throw new ScimError(412, '', `The resource was changed meanwhile: its version is ${resourceVersion(row)}.`);
  }
  return row;
}

/** The version of a resource, as its ETag and meta.version say it. */
export function resourceVersion(row: Pick<ResourceRow, 'version'>): string {
  return `W/"${row.version}"`;
}

/** True if a header with entity tags names the version of a resource; `*` names any. */
export function namesVersion(header: string, row: Pick<ResourceRow, 'version'>): boolean {
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(`"${row.version}"`);
}
