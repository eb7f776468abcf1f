/**
 * Notes of the OpenAPI document on a field or a type: the contract's own comment, or else what its name means wherever it stands. Nothing is made
 * up for a name that means different things in different places.
 */
import type { DescField, DescMessage, DescMethod } from '@bufbuild/protobuf';
import { comments } from '../../gen/comments.js';

/** Names that mean the same in every message. */
const usualNotes: Readonly<Record<string, string>> = {
  access_review_id: 'Id of the review.',
  app_entitlement_id: 'Id of the entitlement.',
  app_id: 'Id of the app.',
  app_ids: 'Ids of apps.',
  app_resource_id: 'Id of the resource.',
  app_resource_type_id: 'Id of the type of resources.',
  app_user_id: 'Id of the account.',
  app_user_ids: 'Ids of accounts.',
  app_user_statuses: 'Only accounts with one of these states.',
  app_user_types: 'Only accounts of one of these types.',
  allow_delegation: 'Whether a task goes to the delegate of a reviewer who is away.',
  allow_reassignment: 'Whether a reviewer may pass a task on.',
  allow_self_approval: 'Whether people may decide about their own access.',
  allowed_reassignees: 'Ids of the people whom a task may be passed on to; everybody where empty.',
  catalog_id: 'Id of the access profile.',
  certify_policy_id: 'Id of the policy that decides who reviews this access.',
  comment: 'What the caller says about it; it stays in the record.',
  connector_id: 'Id of the source.',
  created_at: 'When it was created.',
  deleted_at: 'When it was deleted; absent while it exists.',
  description: 'A text for people.',
  display_name: 'The name that people see.',
  email: 'Mail address.',
  ended_at: 'When it ended; absent while it lasts.',
  entitlement_id: 'Id of the entitlement.',
  expand_mask: 'Which objects the reply adds to `expanded`.',
  expanded: 'The objects that the expand mask asked for, each once; paths in the list point here.',
  expires_at: 'When it ends by itself; absent where it does not.',
  fallback: 'Whether others are asked if nobody is found.',
  fallback_user_ids: 'Ids of the people who are asked if nobody is found.',
  id: 'Id, made by the server.',
  identity_user_id: 'Id of the person who owns the account.',
  include_deleted: 'Whether deleted objects are found, too.',
  is_group_fallback_enabled: 'Whether the groups in `fallbackGroupIds` are asked if nobody is found.',
  last_used_at: 'When it was last used, as far as a source reported it.',
  list: 'The objects of this page.',
  manager_ids: 'Ids of the managers.',
  next_page_token: 'Send it as page token for the next page; empty at the end.',
  policy_id: 'Id of the policy.',
  policy_step_id: 'Id of the step of the policy that the caller acts on; the current one where empty.',
  query: 'Text to look for, whatever its case and accents.',
  require_approval_reason: 'Whether an approval needs a comment.',
  require_denial_reason: 'Whether a denial needs a comment.',
  require_distinct_approvers: 'Whether nobody may decide in two steps of one policy.',
  require_reassignment_reason: 'Whether passing a task on needs a comment.',
  resource_id: 'Id of the resource.',
  resource_type_id: 'Id of the type of resources.',
  resource_type_ids: 'Ids of types of resources.',
  role_ids: 'Ids of roles.',
  service_principal_id: 'Id of the service principal.',
  step_id: 'Id of the step of a policy.',
  task_id: 'Id of the task.',
  update_mask: 'Which fields change; all that are sent where empty.',
  updated_at: 'When it was last changed.',
  user_id: 'Id of the person.',
  user_ids: 'Ids of people.',
};

/** Note on a field; undefined where there is nothing to say that its name does not. */
export function noteOfField(field: DescField): string | undefined {
  return comments[`${field.parent.typeName}.${field.name}`] ?? usualNotes[field.name];
}

/** Note on a message; undefined where the contract says nothing. */
export function noteOfMessage(message: DescMessage): string | undefined {
  return comments[message.typeName];
}

/** Purpose of an operation, as sentences; a test asks the contract for one of each. */
export function noteOfMethod(method: DescMethod): string {
  return comments[`${method.parent.typeName}.${method.name}`] ?? method.name;
}
