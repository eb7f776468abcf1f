/** Events of the system log, as far as lists show them. */
import type { ReplyOf } from '~/data/query.ts';

export interface LogEvent {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly position: number;
  readonly actorKind: string;
  readonly actorId: string;
  /** Name of whoever acted, as it was then; empty for nobody, and for who was erased. */
  readonly actorName: string;
  /** Their address and employee id of then. */
  readonly actorEmail: string;
  readonly actorEmployeeId: string;
  readonly sourceIp: string;
  readonly requestId: string;
  readonly targetType: string;
  readonly targetId: string;
  readonly data: unknown;
}

interface ActorWords {
  readonly name?: string;
  readonly email_addr?: string;
  readonly ldap_person?: { readonly employee_uid?: string };
}

interface Wire {
  readonly time?: number;
  readonly actor?: { readonly user?: ActorWords };
  readonly metadata?: { readonly uid?: string; readonly sequence?: number };
  readonly unmapped?: Readonly<Record<string, unknown>>;
}

/** The events of a page. */
export function readEvents({ list }: ReplyOf<'SystemLogService.ListEvents'>): LogEvent[] {
  return (list ?? []).map((one) => {
    const { time = 0, metadata = {}, unmapped = {}, actor } = one as Wire;
    const word = (name: string): string => String(unmapped[name] ?? '');
    return {
      id: metadata.uid ?? '',
      at: new Date(time).toISOString(),
      kind: word('kind'),
      position: metadata.sequence ?? 0,
      actorKind: word('actor_kind'),
      actorId: word('actor_id'),
      actorName: actor?.user?.name ?? '',
      actorEmail: actor?.user?.email_addr ?? '',
      actorEmployeeId: actor?.user?.ldap_person?.employee_uid ?? '',
      sourceIp: word('source_ip'),
      requestId: word('request_id'),
      targetType: word('target_type'),
      targetId: word('target_id'),
      data: unmapped['data'] ?? {},
    };
  });
}
