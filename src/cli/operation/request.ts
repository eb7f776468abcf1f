/** `countersign request list|confirm|reject`: what waits for a second Super Administrator, through the API. */
import { SecondPersonService } from '../../gen/countersign/v1/second_persons_pb.js';
import type { Commands } from '../frame/commands.ts';

/** Adds the `request` commands. */
export function addRequestCommands(group: Commands): void {
  group.list('list', {
    description: 'list requests that take a second Super Administrator, the newest first',
    options: { '--limit <number>': { text: 'at most so many', fallback: '25' } },
    method: SecondPersonService.method.list,
    columns: {
      ID: 'id',
      KIND: { lower: 'kind' },
      ABOUT: ({ subjectDisplayName, subjectId }) => subjectDisplayName || subjectId || '',
      STATE: { lower: 'state' },
      BY: ({ askedByDisplayName, askedById }) => askedByDisplayName || askedById || '',
      UNTIL: 'expiresAt',
      REASON: 'reason',
    },
  });
  group.call('confirm', {
    description: 'confirm what somebody else asked for; it is done at once',
    operands: { '<id>': 'id of the request' },
    method: SecondPersonService.method.confirm,
    text: () => 'Confirmed.',
  });
  group.call('reject', {
    description: 'reject a request, or take back your own',
    operands: { '<id>': 'id of the request' },
    method: SecondPersonService.method.reject,
    text: () => 'The request is ended.',
  });
}
