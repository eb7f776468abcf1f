/** Words for the part that a connector has in a removal: that it has it, carried it out or failed, or why people are asked instead. */
import type { Removal } from '~/data/inventory/removals.ts';
import type { ByValue } from '~/text/by-value.ts';
import { type PlainTextKey, text } from '~/text/text.ts';

type Sending = NonNullable<Removal['sending']>;

/** One that people carry out has the reason for it instead. */
const states: ByValue<Sending['state'], PlainTextKey | 'sending.sent' | 'sending.done' | 'sending.failed' | undefined> = {
  REVOCATION_SENDING_STATE_PLANNED: 'sending.planned',
  REVOCATION_SENDING_STATE_WAITING: 'sending.waiting',
  REVOCATION_SENDING_STATE_LIMITED: 'sending.limited',
  REVOCATION_SENDING_STATE_SENT: 'sending.sent',
  REVOCATION_SENDING_STATE_DONE: 'sending.done',
  REVOCATION_SENDING_STATE_FAILED: 'sending.failed',
  REVOCATION_SENDING_STATE_PEOPLE: undefined,
  REVOCATION_SENDING_STATE_ENDED: 'sending.ended',
};

const reasons: ByValue<Sending['reason'], PlainTextKey> = {
  REVOCATION_SENDING_REASON_OFF: 'sending.off',
  REVOCATION_SENDING_REASON_MANUAL: 'sending.manual',
  REVOCATION_SENDING_REASON_NO_CONNECTOR: 'sending.noConnector',
  REVOCATION_SENDING_REASON_OTHER_CONNECTOR: 'sending.otherConnector',
  REVOCATION_SENDING_REASON_PAUSED: 'sending.paused',
  REVOCATION_SENDING_REASON_STALE: 'sending.stale',
  REVOCATION_SENDING_REASON_DELETED: 'sending.deleted',
  REVOCATION_SENDING_REASON_NOT_IN_FILE: 'sending.notInFile',
  REVOCATION_SENDING_REASON_INHERITED: 'sending.inherited',
  REVOCATION_SENDING_REASON_IMMUTABLE: 'sending.immutable',
  REVOCATION_SENDING_REASON_NOT_PROVISIONED: 'sending.notProvisioned',
  REVOCATION_SENDING_REASON_APP_ACCESS: 'sending.appAccess',
  REVOCATION_SENDING_REASON_NOT_AN_ACCOUNT: 'sending.notAnAccount',
};

/** Names a connector with its version and the host it runs on. */
export function nameConnector({ program = '', version = '', hostname = '', hostId = '' }: Sending): string {
  const short = program.slice(program.lastIndexOf('/') + 1);
  return text('sending.connector', {
    program: [short || text('sending.aConnector'), version].filter(Boolean).join(' '),
    host: hostname || hostId,
  });
}

/** Says it in a sentence; '' where there is nothing to say. */
export function saySending(sending: Sending): string {
  const reason = reasons[sending.reason ?? ''];
  const state = states[sending.state ?? ''];
  if (reason !== undefined) {
    return text('sending.people', { reason: text(reason) });
  }
  return state === undefined ? '' : text(state, { connector: nameConnector(sending) });
}
