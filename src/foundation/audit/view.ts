/**
 * Event as clients see it: an OCSF "API Activity" object (class 6003, category 6, schema 1.3), which log collectors know, with what has no place
 * there under `unmapped`.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { type Activity, findEventType } from '../../events/index.ts';
import type { ActorWords } from './slots.ts';
import type { SealedEvent } from './store.ts';

/** OCSF's activity_id of each activity, and its name. */
const activities: Readonly<Record<Activity, readonly [number, string]>> = {
  create: [1, 'Create'],
  read: [2, 'Read'],
  update: [3, 'Update'],
  delete: [4, 'Delete'],
  other: [99, 'Other'],
};
const classUid = 6003;

/** The members of whoever acted that say what they were called then; none of somebody without a name, who was erased. */
function shapeWords({ displayName = '', email = '', employeeId = '' }: Partial<ActorWords> = {}): JsonObject {
  return {
    ...(displayName === '' ? {} : { name: displayName }),
    ...(email === '' ? {} : { email_addr: email }),
    ...(employeeId === '' ? {} : { ldap_person: { employee_uid: employeeId } }),
  };
}

/**
 * The event for the system log; `time` is in milliseconds since 1970, as OCSF has it. `origin` is what its log is known by, `actor` what whoever acted was
 * called then.
 */
export function shapeEvent(row: SealedEvent, origin: string, actor?: ActorWords): JsonObject {
  const { activity: name = 'other', isFailure: failed = false } = findEventType(row.kind) ?? {};
  const [activity, activityName] = activities[name];
  return {
    class_uid: classUid,
    class_name: 'API Activity',
    category_uid: 6,
    category_name: 'Application Activity',
    activity_id: activity,
    activity_name: activityName,
    type_uid: classUid * 100 + activity,
    type_name: `API Activity: ${activityName}`,
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
      user: {
        uid: row.actorId,
        type_id: row.actorKind === 'system' ? 3 : 1,
        type: row.actorKind === 'system' ? 'System' : 'User',
        ...shapeWords(actor),
      },
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
