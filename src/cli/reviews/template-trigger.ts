/** `countersign template trigger`: what makes a review of a template beside its schedule. */
import { ReviewTemplateService, type ReviewTemplateTriggersJson, type TemplateTriggerJson } from '../../gen/countersign/v1/template_pb.js';
import type { Commands } from '../frame/commands.ts';
import { collect, UsageError } from '../frame/io.ts';

const kinds: Readonly<Record<string, TemplateTriggerJson>> = {
  mover: 'TEMPLATE_TRIGGER_MOVER',
  leaver: 'TEMPLATE_TRIGGER_LEAVER',
  conflict: 'TEMPLATE_TRIGGER_CONFLICT',
};

/** Adds the command to the group `template`. */
export function addTriggerCommand(group: Commands): void {
  group.run('trigger', {
    description: 'review people who move, leave or come into a conflict at once; without options show what is set',
    operands: { '<template>': 'id of the template' },
    options: {
      '--on <kind>': {
        text: 'mover (department, title or manager changed), leaver (disabled or terminated) or conflict (an access conflict became active); repeat it for several',
        parse: collect,
      },
      '--condition <expression>': 'only where this holds, such as: ctx.trigger.newUser.department == "Finance"',
      '--off': 'switch triggers off',
    },
    act: async ({ template: accessReviewTemplateId, on, condition, off }, session) => {
      if (off === true && (on !== undefined || condition !== undefined)) {
        throw new UsageError('--off goes with neither --on nor --condition');
      }
      if (off !== true && on === undefined && condition !== undefined) {
        throw new UsageError('--condition narrows triggers: say which with --on mover, --on leaver or --on conflict');
      }
      const request = { accessReviewTemplateId, kinds: (on ?? []).map(readKind), condition: condition ?? '' };
      const { triggers = {} } =
        off === true || on !== undefined
          ? await session.client.call(ReviewTemplateService.method.setTriggers, request)
          : await session.client.call(ReviewTemplateService.method.getTriggers, { accessReviewTemplateId });
      return { json: triggers, text: sayTriggers(triggers) };
    },
  });
}

function readKind(name: string): TemplateTriggerJson {
  const kind = kinds[name];
  if (kind === undefined) {
    throw new UsageError(`--on must be one of ${Object.keys(kinds).join(', ')}, not "${name}"`);
  }
  return kind;
}

/** Triggers as one line. */
function sayTriggers({ kinds: set = [], condition = '' }: ReviewTemplateTriggersJson): string {
  if (set.length === 0) {
    return 'off';
  }
  const names = Object.entries(kinds).flatMap(([name, kind]) => (set.includes(kind) ? [name] : []));
  return `${names.join(', ')}${condition === '' ? '' : ` if ${condition}`}`;
}
