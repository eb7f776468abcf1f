/** `countersign credential issued-answers`: whether people answer through what an administrator issued to them. */
import type { ByValue } from '../../client/by-value.ts';
import type { IssuedAnswersJson } from '../../gen/countersign/v1/tenant_settings_pb.js';
import type { Commands } from '../frame/commands.ts';
import { addSetting } from '../frame/setting.ts';

const words: ByValue<IssuedAnswersJson, string> = {
  ISSUED_ANSWERS_ALWAYS: 'always',
  ISSUED_ANSWERS_WITHOUT_OTHER_SIGN_IN: 'without-other-sign-in',
  ISSUED_ANSWERS_NEVER: 'never',
};

/** Adds the command to the group `credential`. */
export function addIssuedAnswersCommand(group: Commands): void {
  addSetting(group, 'issued-answers', 'issuedAnswers', {
    description: 'show whether people answer through what an administrator issued to them, or set it',
    operands: { '[when]': 'always, never, or without-other-sign-in: while the tenant has neither an identity provider nor mail' },
    words,
    text: ({ issuedAnswers }) => words[issuedAnswers ?? ''] ?? '',
  });
}
