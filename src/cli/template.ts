/** `countersign template list|create|show|update|delete|run|schedule|trigger`: what reviews that come again are made of, through the API. */
import type { Command } from 'commander';
import type { AccessReviewTemplateJson } from '../gen/c1/api/accessreview/v1/access_review_template_pb.js';
import {
  AccessReviewTemplateService,
  type AccessReviewTemplateServiceCreateRequestJson,
} from '../gen/c1/api/accessreview/v1/access_review_template_service_pb.js';
import { ReviewTemplateService } from '../gen/countersign/v1/template_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { findPerson } from './find.ts';
import { collect, CommandFailure, type CommandIo, UsageError, writeJson, writeLines } from './io.ts';
import { listAll, showList } from './list.ts';
import { readDocument } from './read-document.ts';
import { addTriggerCommand } from './template-trigger.ts';
import { readSchedule, type ScheduleOptions, sayRule } from './template-schedule.ts';

/** What `create` and `update` take. */
interface TemplateOptions extends ConnectOptions {
  readonly name?: string;
  readonly description?: string;
  readonly policy?: string;
  readonly days?: string;
  readonly autoStart?: boolean;
  readonly file?: string;
}

/** Adds the `template` commands. */
export function addTemplateCommands(program: Command, io: CommandIo): void {
  const group = program.command('template').description('templates and schedules of access reviews');

  withConnection(group.command('list').description('list the templates you may see')).action(async (options: ConnectOptions) => {
    const templates = await listAll(connect(io, options).pages(ReviewTemplateService.method.list, {}));
    showList(io, options, templates, ['ID', 'NEXT', 'MADE', 'NAME'], (one) => [
      one.id ?? '',
      one.nextScheduledCampaignAt ?? '-',
      String(one.occurrences ?? 0),
      one.displayName ?? '',
    ]);
  });

  withFields(group.command('create').description('create a template'))
    .option('--owner <person>', 'owner by mail address or id (default: you); repeat it for several', collect)
    .action(async (options: TemplateOptions & { owner?: string[] }) => {
      const client = connect(io, options);
      const fields = await readFields(io, options);
      const owners = await Promise.all((options.owner ?? []).map((owner) => findPerson(client, owner)));
      const request = { ...fields, ...(owners.length === 0 ? {} : { ownerIds: owners.map(({ id }) => id) }) };
      const made = await client.call(AccessReviewTemplateService.method.create, request as AccessReviewTemplateServiceCreateRequestJson);
      showLine(io, options, made.accessReviewTemplate);
    });

  withConnection(group.command('show').description('show one template: its settings, its owners and its schedule'))
    .argument('<template>', 'id of the template')
    .action(async (id: string, options: ConnectOptions) => {
      const client = connect(io, options);
      const { accessReviewTemplate = {} } = await client.call(AccessReviewTemplateService.method.get, { id });
      const owners = await listAll(client.pages(ReviewTemplateService.method.listOwners, { accessReviewTemplateId: id }));
      if (options.json === true) {
        writeJson(io.stdout, { ...accessReviewTemplate, owners: owners.map(({ owner }) => owner) });
        return;
      }
      const { displayName, autoStartCampaign, accessReviewDuration, occurrences, nextScheduledCampaignAt } = accessReviewTemplate;
      writeLines(
        io.stdout,
        `name       ${displayName ?? ''}`,
        `owners     ${owners.map(({ owner }) => owner?.displayName ?? '').join(', ')}`,
        `schedule   ${sayRule(accessReviewTemplate)}`,
        `next       ${nextScheduledCampaignAt ?? '-'}`,
        `made       ${occurrences ?? 0}`,
        `start      ${autoStartCampaign === true ? 'by itself, 48 hours after the draft is made' : 'manual'}`,
        `due        ${accessReviewDuration === undefined ? '-' : `${Number.parseFloat(accessReviewDuration) / 86_400} days after the start`}`,
      );
    });

  withFields(group.command('update').description('change a template; reviews made of it stay as they are'))
    .argument('<template>', 'id of the template')
    .action(async (id: string, options: TemplateOptions) => {
      await change(io, options, id, await readFields(io, options));
    });

  withConnection(group.command('delete').description('delete a template; reviews made of it stay'))
    .argument('<template>', 'id of the template')
    .option('--yes', 'confirm the deletion')
    .action(async (id: string, options: ConnectOptions & { yes?: boolean }) => {
      if (options.yes !== true) {
        throw new CommandFailure('this ends the schedule of the template, and cannot be undone; repeat it with --yes');
      }
      await connect(io, options).call(AccessReviewTemplateService.method.delete, { id });
      writeLines(io.stdout, `${id} is deleted`);
    });

  withConnection(group.command('run').description('make a draft of a template now'))
    .argument('<template>', 'id of the template')
    .option('--name <name>', 'display name (default: the name of the template and the date)')
    .action(async (id: string, options: ConnectOptions & { name?: string }) => {
      const request = { accessReviewTemplateId: id, displayName: options.name ?? '' };
      const { accessReview } = await connect(io, options).call(ReviewTemplateService.method.createReview, request);
      const review = accessReview?.accessReview ?? {};
      if (options.json === true) {
        writeJson(io.stdout, review);
        return;
      }
      writeLines(io.stdout, `${review.id ?? ''}  ${review.displayName ?? ''}`);
    });

  withConnection(group.command('schedule').description('set when reviews are made, or switch the schedule off'))
    .argument('<template>', 'id of the template')
    .option('--every <unit>', 'day, week, month or year; without it once')
    .option('--interval <number>', 'every so many days, weeks, months or years', '1')
    .option('--start <time>', 'the first time, such as 2030-01-31T08:00:00Z')
    .option('--until <time>', 'the last moment')
    .option('--times <number>', 'how many times')
    .option('--zone <zone>', "time zone, such as Europe/Berlin (default: the template's or tenant's)")
    .option('--off', 'switch the schedule off')
    .action(async (id: string, options: ConnectOptions & ScheduleOptions) => {
      const { accessReviewTemplate = {} } = await connect(io, options).call(AccessReviewTemplateService.method.get, { id });
      await change(io, options, id, readSchedule(options, accessReviewTemplate));
    });

  addTriggerCommand(group, io);
}

function withFields(command: Command): Command {
  return withConnection(command)
    .option('--name <name>', 'display name')
    .option('--description <text>', 'description')
    .option('--policy <id>', 'policy that decides who reviews')
    .option('--days <number>', 'days from the start of a review to its due date')
    .option('--auto-start', 'start each review by itself, 48 hours after its draft is made')
    .option('--file <file>', 'JSON of an AccessReviewTemplate with anything else; - for standard input');
}

async function readFields(io: CommandIo, options: TemplateOptions): Promise<AccessReviewTemplateJson> {
  if (options.days !== undefined && !/^\d{1,4}$/.test(options.days)) {
    throw new UsageError(`--days must be a whole number, not "${options.days}"`);
  }
  const document = options.file === undefined ? {} : await readDocument(io, options.file, 'the fields of an access review template');
  const fields: AccessReviewTemplateJson = {
    ...(document as AccessReviewTemplateJson),
    ...(options.name === undefined ? {} : { displayName: options.name }),
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.policy === undefined ? {} : { policyId: options.policy }),
    ...(options.days === undefined ? {} : { accessReviewDuration: `${Number(options.days) * 86_400}s` }),
    ...(options.autoStart === undefined ? {} : { autoStartCampaign: options.autoStart }),
  };
  if (Object.keys(fields).length === 0) {
    throw new UsageError('say what the template has: --name, --file or another of the options');
  }
  return fields;
}

async function change(io: CommandIo, options: ConnectOptions, id: string, fields: AccessReviewTemplateJson): Promise<void> {
  const request = { id, accessReviewTemplate: fields };
  const { accessReviewTemplate } = await connect(io, options).call(AccessReviewTemplateService.method.update, request);
  showLine(io, options, accessReviewTemplate);
}

function showLine(io: CommandIo, options: ConnectOptions, template: AccessReviewTemplateJson = {}): void {
  if (options.json === true) {
    writeJson(io.stdout, template);
    return;
  }
  const next = template.nextScheduledCampaignAt === undefined ? '' : `  next ${template.nextScheduledCampaignAt}`;
  writeLines(io.stdout, `${template.id ?? ''}  ${template.displayName ?? ''}${next}`);
}
