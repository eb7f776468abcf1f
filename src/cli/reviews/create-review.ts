/** Making a draft from what `review create` was given: names become ids, and what creation cannot carry is set right after. */
import type { Client } from '../../client/index.ts';
import type { AccessReviewJson } from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { AccessReviewService } from '../../gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { findApp, findPerson } from '../frame/find.ts';
import { CommandFailure, UsageError } from '../frame/io.ts';

/** Input of a draft; `document` holds any other field of an access review, and the options win over it. */
export interface ReviewDraft {
  readonly name?: string;
  readonly description?: string;
  /** Names or ids. */
  readonly app?: readonly string[];
  readonly appAccess?: boolean;
  /** Mail addresses or ids. */
  readonly owner?: readonly string[];
  readonly policy?: string;
  readonly document?: AccessReviewJson;
}

/** Creates the draft and returns it as it stands afterwards. */
export async function createReview(client: Client, draft: ReviewDraft): Promise<AccessReviewJson> {
  const document = draft.document ?? {};
  const displayName = draft.name ?? document.displayName;
  if (displayName === undefined || displayName.trim() === '') {
    throw new UsageError('a review needs a name: pass --name');
  }
  if (draft.appAccess === true && (draft.app ?? []).length === 0) {
    throw new UsageError('--app-access needs at least one --app');
  }
  const apps = await Promise.all((draft.app ?? []).map((app) => findApp(client, app)));
  const owners = await Promise.all((draft.owner ?? []).map((owner) => findPerson(client, owner)));
  const fields: AccessReviewJson = {
    // Nobody is to decide what a later file no longer holds, unless a document says otherwise.
    autoResolve: true,
    ...document,
    displayName,
    ...(draft.description === undefined ? {} : { description: draft.description }),
    ...(draft.policy === undefined ? {} : { policyId: draft.policy }),
    ...chooseApps(apps.map((app) => app.id)),
    ...(draft.appAccess === true ? { scopeV2: { ...document.scopeV2, appAccess: {} } } : {}),
  };
  const created = await client.call(AccessReviewService.method.create, {
    displayName,
    ...(fields.description === undefined ? {} : { description: fields.description }),
    ...(fields.policyId === undefined ? {} : { policyId: fields.policyId }),
    ...(fields.scopeType === undefined ? {} : { scopeType: fields.scopeType }),
    ...(owners.length === 0 ? {} : { ownerIds: owners.map((owner) => owner.id) }),
  });
  const id = created.accessReview?.accessReview?.id;
  if (id === undefined) {
    throw new CommandFailure('the server answered without the new review');
  }
  // Without a mask: whatever is present in the document is set, exactly as it was written.
  const { displayName: _, scopeType: __, ...rest } = fields;
  if (Object.keys(rest).length === 0) {
    return created.accessReview?.accessReview ?? {};
  }
  try {
    const updated = await client.call(AccessReviewService.method.update, { id, accessReview: { ...rest, displayName } });
    return updated.accessReview?.accessReview ?? {};
  } catch (error) {
    // Half a draft helps nobody; where even this fails, the first error is the one to see.
    await client.call(AccessReviewService.method.delete, { id }).catch(() => undefined);
    throw error;
  }
}

/** The members of setup_metadata that choose these apps whole. */
function chooseApps(ids: readonly string[]): AccessReviewJson {
  const [first, ...others] = ids;
  if (first === undefined) {
    return {};
  }
  if (others.length === 0) {
    return { singleApp: { appId: first } };
  }
  return { multiApp: { appEntitlements: Object.fromEntries(ids.map((appId) => [appId, { appId, entitlementIds: [] }])) } };
}
