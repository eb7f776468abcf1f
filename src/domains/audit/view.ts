/**
 * How an event looks outside: an OCSF "API Activity" object (class 6003, category 6, schema 1.3), which log collectors know, with
 * what has no place there under `unmapped`.
 */
import type { SealedEvent } from './store.ts';

/** What the last word of an event's kind means in OCSF's activity_id; anything else is 99, Other. */
const activities: Readonly<Record<string, number>> = {
  created: 1,
  issued: 1,
  imported: 1,
  added: 1,
  read: 2,
  listed: 2,
  downloaded: 2,
  updated: 3,
  changed: 3,
  set: 3,
  roles_changed: 3,
  reassigned: 3,
  decided: 3,
  closed: 3,
  started: 3,
  prepared: 3,
  reset: 3,
  deleted: 4,
  revoked: 4,
  removed: 4,
};
const activityNames: Readonly<Record<number, string>> = { 1: 'Create', 2: 'Read', 3: 'Update', 4: 'Delete', 99: 'Other' };
const classUid = 6003;

/** The event for the system log; `time` is in milliseconds since 1970, as OCSF has it. `origin` is what its log is known by. */
export function shapeEvent(row: SealedEvent, origin: string): Record<string, unknown> {
  const verb = row.kind.slice(row.kind.lastIndexOf('.') + 1);
  const activity = activities[verb] ?? 99;
  const failed = /(refused|failed|denied_access)$/.test(verb);
  return {
    class_uid: classUid,
    class_name: 'API Activity',
    category_uid: 6,
    category_name: 'Application Activity',
    activity_id: activity,
    activity_name: activityNames[activity],
    type_uid: classUid * 100 + activity,
    type_name: `API Activity: ${activityNames[activity]}`,
    severity_id: failed ? 2 : 1,
    severity: failed ? 'Low' : 'Informational',
    status_id: failed ? 2 : 1,
    status: failed ? 'Failure' : 'Success',
    time: row.occurredAt.getTime(),
    message: row.kind,
    metadata: {
      version: '1.3.0',
      uid: row.id,
      event_code: row.kind,
      correlation_uid: row.requestId,
      sequence: row.position,
      log_name: origin,
      product: { name: 'Countersign', vendor_name: 'Countersign' },
      profiles: [],
    },
    actor: {
      user: { uid: row.actorId, type_id: row.actorKind === 'system' ? 3 : 1, type: row.actorKind === 'system' ? 'System' : 'User' },
      session: { uid: row.credentialId, credential_uid: row.credentialId, issuer: row.issuerId },
    },
    api: { operation: row.kind, request: { uid: row.requestId }, service: { name: 'countersign' } },
    src_endpoint: { ip: row.sourceIp },
    resources: row.targetId === '' ? [] : [{ uid: row.targetId, type: row.targetType, data: row.data }],
    unmapped: {
      kind: row.kind,
      actor_kind: row.actorKind,
      actor_id: row.actorId,
      credential_id: row.credentialId,
      issuer_id: row.issuerId,
      source_ip: row.sourceIp,
      request_id: row.requestId,
      target_type: row.targetType,
      target_id: row.targetId,
      data: row.data,
    },
  };
}
