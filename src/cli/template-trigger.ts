/** `countersign template trigger`: what makes a review of a template beside its schedule. */
import type { Command } from 'commander';
import { ReviewTemplateService, type ReviewTemplateTriggersJson, type TemplateTriggerJson } from '../gen/countersign/v1/template_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { collect, type CommandIo, UsageError, writeJson, writeLines } from './io.ts';

interface TriggerOptions extends ConnectOptions {
  readonly on?: string[];
  readonly condition?: string;
  readonly off?: boolean;
}

const kinds: Readonly<Record<string, TemplateTriggerJson>> = {
  mover: 'TEMPLATE_TRIGGER_MOVER',
  leaver: 'TEMPLATE_TRIGGER_LEAVER',
  conflict: 'TEMPLATE_TRIGGER_CONFLICT',
};

/** Adds the command to the group `template`. */
export function addTriggerCommand(group: Command, io: CommandIo): void {
  withConnection(
    group.command('trigger').description('review people who move, leave or come into a conflict at once; without options show what is set'),
  )
    .argument('<template>', 'id of the template')
    .option(
      '--on <kind>',
      'mover (department, title or manager changed), leaver (disabled or terminated) or conflict (an access conflict became active); repeat it for several',
      collect,
    )
    .option('--condition <expression>', 'only where this holds, such as: ctx.trigger.newUser.department == "Finance"')
    .option('--off', 'switch triggers off')
    .action(async (id: string, options: TriggerOptions) => {
      const { triggers = {} } = await callFor(io, options, id);
      if (options.json === true) {
        writeJson(io.stdout, triggers);
      } else {
        writeLines(io.stdout, sayTriggers(triggers));
      }
    });
}

function callFor(io: CommandIo, options: TriggerOptions, accessReviewTemplateId: string) {
  const client = connect(io, options);
  if (options.off === true) {
    if (options.on !== undefined || options.condition !== undefined) {
      throw new UsageError('--off goes with neither --on nor --condition');
    }
    return client.call(ReviewTemplateService.method.setTriggers, { accessReviewTemplateId });
  }
  if (options.on === undefined) {
    if (options.condition !== undefined) {
      throw new UsageError('--condition narrows triggers: say which with --on mover, --on leaver or --on conflict');
    }
    return client.call(ReviewTemplateService.method.getTriggers, { accessReviewTemplateId });
  }
  const asked = options.on.map((name) => {
    const kind = kinds[name];
    if (kind === undefined) {
      throw new UsageError(`--on must be one of ${Object.keys(kinds).join(', ')}, not "${name}"`);
    }
    return kind;
  });
  return client.call(ReviewTemplateService.method.setTriggers, {
    accessReviewTemplateId,
    kinds: asked,
    condition: options.condition ?? '',
  });
}

/** Triggers as one line. */
function sayTriggers({ kinds: set = [], condition = '' }: ReviewTemplateTriggersJson): string {
  if (set.length === 0) {
    return 'off';
  }
  const names = Object.entries(kinds).flatMap(([name, kind]) => (set.includes(kind) ? [name] : []));
  return `${names.join(', ')}${condition === '' ? '' : ` if ${condition}`}`;
}
