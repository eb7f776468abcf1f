/** `countersign mail`: the mails to people and what they depend on, through the API. */
import type { ByValue } from '../../client/by-value.ts';
import { type MailJson, MailService, type MailStateJson, MailStateSchema } from '../../gen/countersign/v1/mail_pb.js';
import type { MailSignInJson } from '../../gen/countersign/v1/tenant_settings_pb.js';
import { type Commands, formatFacts, formatRows, readLimit } from '../frame/commands.ts';
import { listAll } from '../frame/list.ts';
import { wordsOf } from '../frame/send-request.ts';
import { addSetting } from '../frame/setting.ts';

const signInWords: ByValue<MailSignInJson, string> = {
  MAIL_SIGN_IN_EVERYBODY: 'everybody',
  MAIL_SIGN_IN_NO_ADMINISTRATORS: 'no-administrators',
  MAIL_SIGN_IN_NOBODY: 'nobody',
  MAIL_SIGN_IN_UNSPECIFIED: 'default',
};

/** Adds the `mail` commands. */
export function addMailCommands(group: Commands): void {
  group.run('list', {
    description: 'list mails to people, the newest first',
    options: {
      '--state <state>': { text: 'only those in this state', choices: wordsOf(MailStateSchema) },
      '--review <id>': 'what this review had people learn, and the mails that say it',
      '--limit <number>': { text: 'at most so many', fallback: '25' },
    },
    act: async (given, session) => {
      const limit = readLimit(given);
      if (given.review !== undefined) {
        const pages = session.client.pages(MailService.method.listNotices, { accessReviewId: given.review });
        const notices = (await listAll(pages, limit)).filter(
          ({ mail = {} }) => given.state === undefined || sayState(mail) === given.state,
        );
        const rows = notices.map(({ mail = {}, kind = '', dueAt = '', userId = '' }) => [
          mail.id ?? '',
          kind,
          mail.address || userId,
          sayState(mail),
          dueAt,
          mail.subject ?? '',
        ]);
        return { json: notices, text: formatRows(['MAIL', 'KIND', 'TO', 'STATE', 'DUE', 'SUBJECT'], rows) };
      }
      const state = `MAIL_STATE_${given.state?.toUpperCase() ?? 'UNSPECIFIED'}` as MailStateJson;
      const mails = await listAll(session.client.pages(MailService.method.list, { state }), limit);
      const rows = mails.map((mail) => [
        mail.id ?? '',
        mail.address ?? '',
        sayState(mail),
        mail.createdAt ?? '',
        mail.subject ?? '',
        mail.answer ?? '',
      ]);
      return { json: mails, text: formatRows(['ID', 'TO', 'STATE', 'CREATED', 'SUBJECT', 'ANSWER'], rows) };
    },
  });

  group.call('show', {
    description: 'show one mail as it was sent',
    operands: { '<id>': 'id of the mail' },
    method: MailService.method.get,
    text: (mail) => {
      const { address = '', subject = '', attempts = 0, answer = '', digest = '', text = '' } = mail;
      const facts = { to: address, subject, state: `${sayState(mail)} (attempts: ${attempts})`, answer, sha256: digest };
      return [...formatFacts(facts), '', text];
    },
  });

  addSetting(group, 'time-zone', 'timeZone', {
    description: 'show the time zone of the tenant, or set it',
    operands: { '[zone]': 'name of a time zone, such as Europe/Berlin' },
    text: ({ timeZone = '' }) => timeZone,
  });

  addSetting(group, 'sign-in', 'mailSignIn', {
    description: 'show who may sign in with a link by mail, or set it',
    operands: { '[who]': 'everybody, no-administrators, nobody, or default: no-administrators once an identity provider is active' },
    words: signInWords,
    text: ({ mailSignIn, mailSignInNow }) => {
      const word = signInWords[mailSignIn ?? ''] ?? 'default';
      return word === 'default' ? `default, which is ${signInWords[mailSignInNow ?? ''] ?? 'default'}` : word;
    },
  });
}

function sayState({ state = 'MAIL_STATE_UNSPECIFIED' }: MailJson): string {
  return state.replace('MAIL_STATE_', '').toLowerCase();
}
