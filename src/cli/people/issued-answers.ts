/** `countersign credential issued-answers`: whether people answer through what an administrator issued to them. */
import type { IssuedAnswersJson } from '../../gen/countersign/v1/tenant_settings_pb.js';
import type { Commands } from '../frame/commands.ts';
import { addSetting } from '../frame/setting.ts';

const words: Readonly<Record<string, IssuedAnswersJson>> = {
  always: 'ISSUED_ANSWERS_ALWAYS',
  'without-other-sign-in': 'ISSUED_ANSWERS_WITHOUT_OTHER_SIGN_IN',
  never: 'ISSUED_ANSWERS_NEVER',
};

/** Adds the command to the group `credential`. */
export function addIssuedAnswersCommand(group: Commands): void {
  addSetting(group, 'issued-answers', 'issuedAnswers', {
    description: 'show whether people answer through what an administrator issued to them, or set it',
    operands: { '[when]': 'always, never, or without-other-sign-in: while the tenant has neither an identity provider nor mail' },
    words,
    text: ({ issuedAnswers }) => Object.keys(words).find((word) => words[word] === issuedAnswers) ?? '',
  });
}
