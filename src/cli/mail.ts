/** `countersign mail`: the mails to people and what they depend on, through the API. */
import { type Command, Option } from 'commander';
import { type MailJson, MailService, type MailStateJson } from '../gen/countersign/v1/mail_pb.js';
import { TenantSettingsService } from '../gen/countersign/v1/tenant_settings_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { type CommandIo, UsageError, writeJson, writeLines } from './io.ts';
import { listAll, showList } from './list.ts';

const states = ['waiting', 'sending', 'sent', 'failed', 'unsure', 'dropped'];

interface ListOptions extends ConnectOptions {
  readonly state?: string;
  readonly review?: string;
  readonly limit: string;
}

/** Adds the `mail` commands. */
export function addMailCommands(program: Command, io: CommandIo): void {
  const group = program.command('mail').description('mails to people');

  withConnection(group.command('list').description('list mails to people, the newest first'))
    .addOption(new Option('--state <state>', 'only those in this state').choices(states))
    .option('--review <id>', 'what this review had people learn, and the mails that say it')
    .option('--limit <number>', 'at most so many', '25')
    .action((options: ListOptions) => runList(io, options));

  withConnection(group.command('show').description('show one mail as it was sent'))
    .argument('<id>', 'id of the mail')
    .action((id: string, options: ConnectOptions) => runShow(io, id, options));

  withConnection(group.command('time-zone').description('show the time zone of the tenant, or set it'))
    .argument('[zone]', 'name of a time zone, such as Europe/Berlin')
    .action(async (zone: string | undefined, options: ConnectOptions) => {
      const client = connect(io, options);
      const { settings = {} } =
        zone === undefined
          ? await client.call(TenantSettingsService.method.get, {})
          : await client.call(TenantSettingsService.method.update, { settings: { timeZone: zone } });
      if (options.json === true) {
        writeJson(io.stdout, settings);
        return;
      }
      writeLines(io.stdout, settings.timeZone ?? '');
    });
}

function stateOf({ state = 'MAIL_STATE_UNSPECIFIED' }: MailJson): string {
  return state.replace('MAIL_STATE_', '').toLowerCase();
}

async function runList(io: CommandIo, options: ListOptions): Promise<void> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1) {
    throw new UsageError('--limit is a whole number from 1 on');
  }
  const client = connect(io, options);
  if (options.review !== undefined) {
    const pages = client.pages(MailService.method.listNotices, { accessReviewId: options.review });
    const notices = (await listAll(pages, limit)).filter(({ mail = {} }) => options.state === undefined || stateOf(mail) === options.state);
    showList(
      io,
      options,
      notices,
      ['MAIL', 'KIND', 'TO', 'STATE', 'DUE', 'SUBJECT'],
      ({ mail = {}, kind = '', dueAt = '', userId = '' }) => [
        mail.id ?? '',
        kind,
        mail.address || userId,
        stateOf(mail),
        dueAt,
        mail.subject ?? '',
      ],
    );
    return;
  }
  const state = `MAIL_STATE_${options.state?.toUpperCase() ?? 'UNSPECIFIED'}` as MailStateJson;
  const pages = client.pages(MailService.method.list, { state });
  showList(io, options, await listAll(pages, limit), ['ID', 'TO', 'STATE', 'CREATED', 'SUBJECT', 'ANSWER'], (mail) => [
    mail.id ?? '',
    mail.address ?? '',
    stateOf(mail),
    mail.createdAt ?? '',
    mail.subject ?? '',
    mail.answer ?? '',
  ]);
}

async function runShow(io: CommandIo, id: string, options: ConnectOptions): Promise<void> {
  const { mail = {} } = await connect(io, options).call(MailService.method.get, { id });
  if (options.json === true) {
    writeJson(io.stdout, mail);
    return;
  }
  const { address = '', subject = '', attempts = 0, answer = '', digest = '', text = '' } = mail;
  writeLines(
    io.stdout,
    `to       ${address}`,
    `subject  ${subject}`,
    `state    ${stateOf(mail)} (attempts: ${attempts})`,
    `answer   ${answer}`,
    `sha256   ${digest}`,
    '',
    text,
  );
}
