/** `countersign claim list|show|accept|reject`: what sources ask to change of people who are not theirs, or who hold a role. See docs/scim.md. */
import { type PersonClaimJson, PersonClaimService } from '../../gen/countersign/v1/person_claims_pb.js';
import { type Commands, formatFacts } from '../frame/commands.ts';
import { UsageError } from '../frame/io.ts';

const states = {
  waiting: 'PERSON_CLAIM_STATE_WAITING',
  accepted: 'PERSON_CLAIM_STATE_ACCEPTED',
  rejected: 'PERSON_CLAIM_STATE_REJECTED',
  all: 'PERSON_CLAIM_STATE_UNSPECIFIED',
};
const operands = { '<id>': 'id of the claim' } as const;

/** Adds `claim list`, `claim show`, `claim accept` and `claim reject`. */
export function addClaimCommands(group: Commands): void {
  group.list('list', {
    description: 'list claims; those that wait, unless you say otherwise',
    options: {
      '--state <state>': { text: 'those in this state', choices: states, fallback: 'waiting' },
      '--source <id>': { text: 'only those of this source', field: 'sourceId' },
      '--limit <number>': { text: 'at most so many', fallback: '100' },
    },
    method: PersonClaimService.method.list,
    columns: {
      ID: 'id',
      PERSON: (one) => one.userEmail || one.userDisplayName,
      ROLE: (one) => (one.holdsRole === true ? 'yes' : ''),
      APP: 'appDisplayName',
      KIND: { lower: 'kind' },
      STATE: { lower: 'state' },
      CHANGES: (one) => changesOf(one).join('; '),
    },
  });

  group.call('show', {
    description: 'show one claim: what would change of the person',
    operands,
    method: PersonClaimService.method.get,
    text: describe,
  });

  group.run('accept', {
    description: 'accept a claim, or all of a source that need no look',
    operands: { '[id]': 'id of the claim; left out with --source' },
    options: {
      '--source <id>': 'accept those of this source: no one with a role, no change of an address, nobody who would be enabled',
    },
    act: async ({ id, source: sourceId = '' }, session) => {
      if ((id === undefined) === (sourceId === '')) {
        throw new UsageError('pass either the id of a claim or --source');
      }
      const { client } = session;
      if (id !== undefined) {
        const { claim = {} } = await client.call(PersonClaimService.method.accept, { id });
        return { json: claim, text: describe(claim) };
      }
      const sum = { acceptedCount: 0, waitingCount: 0 };
      // A request accepts some hundreds; what is left at the end has to be looked at.
      for (let last = 1; last > 0; ) {
        const { acceptedCount = 0, waitingCount = 0 } = await client.call(PersonClaimService.method.acceptAll, { sourceId });
        sum.acceptedCount += acceptedCount;
        sum.waitingCount = waitingCount;
        last = acceptedCount;
      }
      return { json: sum, text: `Claims accepted: ${sum.acceptedCount}. Still waiting: ${sum.waitingCount}.` };
    },
  });

  group.call('reject', {
    description: 'reject a claim: the person stays as they are',
    operands,
    method: PersonClaimService.method.reject,
    text: describe,
  });
}

function lower(text: string | undefined, prefix: string): string {
  return (text ?? '').replace(prefix, '').toLowerCase();
}

function changesOf({ changes = [] }: PersonClaimJson): string[] {
  return changes.map(
    ({ attribute = '', from = '', to = '', fromDisplayName, toDisplayName }) =>
      `${attribute}: ${fromDisplayName || from || '(none)'} -> ${toDisplayName || to || '(none)'}`,
  );
}

function describe(claim: PersonClaimJson): string[] {
  const facts = {
    id: claim.id ?? '',
    person: `${claim.userDisplayName ?? ''} ${claim.userEmail ?? ''}${claim.holdsRole === true ? ' (holds a role)' : ''}`,
    app: claim.appDisplayName ?? '',
    kind: lower(claim.kind, 'PERSON_CLAIM_KIND_'),
    state: lower(claim.state, 'PERSON_CLAIM_STATE_'),
  };
  return [...formatFacts(facts), ...changesOf(claim).map((line) => `change  ${line}`)];
}
