/** `countersign template list|create|show|update|delete|run|schedule|trigger`: what reviews that come again are made of, through the API. */
import type { AccessReviewTemplateJson } from '../../gen/c1/api/accessreview/v1/access_review_template_pb.js';
import {
  AccessReviewTemplateService,
  type AccessReviewTemplateServiceCreateRequestJson,
} from '../../gen/c1/api/accessreview/v1/access_review_template_service_pb.js';
import { ReviewTemplateService } from '../../gen/countersign/v1/template_pb.js';
import { type Commands, formatFacts } from '../frame/commands.ts';
import { findPersonIds } from '../frame/find.ts';
import type { Given } from '../frame/given.ts';
import { collect, CommandFailure, type CommandIo, UsageError } from '../frame/io.ts';
import { listAll } from '../frame/list.ts';
import { readDocument } from '../frame/read-document.ts';
import { readSchedule, sayRule } from './template-schedule.ts';
import { addTriggerCommand } from './template-trigger.ts';

const operands = { '<template>': 'id of the template' } as const;

/** Input of `create` and `update`. */
const fields = {
  '--name <name>': 'display name',
  '--description <text>': 'description',
  '--policy <id>': 'policy that decides who reviews',
  '--days <number>': 'days from the start of a review to its due date',
  '--auto-start': 'start each review by itself, 48 hours after its draft is made',
  '--file <file>': 'JSON of an AccessReviewTemplate with anything else; - for standard input',
} as const;

/** Adds the `template` commands. */
export function addTemplateCommands(group: Commands): void {
  const { create, get, update, delete: remove } = AccessReviewTemplateService.method;
  group.list('list', {
    description: 'list the templates you may see',
    method: ReviewTemplateService.method.list,
    columns: { ID: 'id', NEXT: ['nextScheduledCampaignAt', '-'], MADE: 'occurrences', NAME: 'displayName' },
  });

  group.call('create', {
    description: 'create a template',
    options: {
      ...fields,
      '--owner <person>': { text: 'owner by mail address or id (default: you); repeat it for several', parse: collect },
    },
    method: create,
    request: async (given, { io, client }) => {
      const made = (await readFields(io, given)) as AccessReviewTemplateServiceCreateRequestJson;
      return { ...made, ...(given.owner && { ownerIds: await findPersonIds(client, given.owner) }) };
    },
    text: sayTemplate,
  });

  group.run('show', {
    description: 'show one template: its settings, its owners and its schedule',
    operands,
    act: async ({ template: id }, { client }) => {
      const { accessReviewTemplate: template = {} } = await client.call(get, { id });
      const owners = await listAll(client.pages(ReviewTemplateService.method.listOwners, { accessReviewTemplateId: id }));
      const { displayName = '', autoStartCampaign, accessReviewDuration: duration, occurrences = 0, nextScheduledCampaignAt } = template;
      return {
        json: { ...template, owners: owners.map(({ owner }) => owner) },
        text: formatFacts(
          {
            name: displayName,
            owners: owners.map(({ owner }) => owner?.displayName ?? '').join(', '),
            schedule: sayRule(template),
            next: nextScheduledCampaignAt ?? '-',
            made: String(occurrences),
            start: autoStartCampaign === true ? 'by itself, 48 hours after the draft is made' : 'manual',
            due: duration === undefined ? '-' : `${Number.parseFloat(duration) / 86_400} days after the start`,
          },
          9,
        ),
      };
    },
  });

  group.call('update', {
    description: 'change a template; reviews made of it stay as they are',
    operands,
    options: fields,
    method: update,
    request: async (given, { io }) => ({ id: given.template, accessReviewTemplate: await readFields(io, given) }),
    text: sayTemplate,
  });

  group.call('delete', {
    description: 'delete a template; reviews made of it stay',
    operands,
    options: {
      '--yes': {
        text: 'confirm the deletion',
        otherwise: () => new CommandFailure('this ends the schedule of the template, and cannot be undone; repeat it with --yes'),
      },
    },
    method: remove,
    text: (_, { template }) => `${template} is deleted`,
  });

  group.call('run', {
    description: 'make a draft of a template now',
    operands,
    options: { '--name <name>': { text: 'display name (default: the name of the template and the date)', field: 'displayName' } },
    method: ReviewTemplateService.method.createReview,
    pick: ({ accessReview = {} }) => accessReview,
    text: ({ id = '', displayName = '' }) => `${id}  ${displayName}`,
  });

  group.call('schedule', {
    description: 'set when reviews are made, or switch the schedule off',
    operands,
    options: {
      '--every <unit>': 'day, week, month or year; without it once',
      '--interval <number>': { text: 'every so many days, weeks, months or years', fallback: '1' },
      '--start <time>': 'the first time, such as 2030-01-31T08:00:00Z',
      '--until <time>': 'the last moment',
      '--times <number>': 'how many times',
      '--zone <zone>': "time zone, such as Europe/Berlin (default: the template's or tenant's)",
      '--off': 'switch the schedule off',
    },
    method: update,
    request: async (given, { client }) => {
      const { accessReviewTemplate = {} } = await client.call(get, { id: given.template });
      return { id: given.template, accessReviewTemplate: readSchedule(given, accessReviewTemplate) };
    },
    text: sayTemplate,
  });

  addTriggerCommand(group);
}

async function readFields(io: CommandIo, options: Given<object, typeof fields>): Promise<AccessReviewTemplateJson> {
  if (options.days !== undefined && !/^\d{1,4}$/.test(options.days)) {
    throw new UsageError(`--days must be a whole number, not "${options.days}"`);
  }
  const document = options.file === undefined ? {} : await readDocument(io, options.file, 'the fields of an access review template');
  const given: AccessReviewTemplateJson = {
    ...(document as AccessReviewTemplateJson),
    ...(options.name === undefined ? {} : { displayName: options.name }),
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.policy === undefined ? {} : { policyId: options.policy }),
    ...(options.days === undefined ? {} : { accessReviewDuration: `${Number(options.days) * 86_400}s` }),
    ...(options.autoStart === undefined ? {} : { autoStartCampaign: options.autoStart }),
  };
  if (Object.keys(given).length === 0) {
    throw new UsageError('say what the template has: --name, --file or another of the options');
  }
  return given;
}

function sayTemplate({ id = '', displayName = '', nextScheduledCampaignAt: next }: AccessReviewTemplateJson): string {
  return `${id}  ${displayName}${next === undefined ? '' : `  next ${next}`}`;
}
