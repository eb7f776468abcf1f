/** `countersign expression check`: whether an expression may be saved, and where it is wrong. */
import { readFile } from 'node:fs/promises';
import type { Commands } from '../frame/commands.ts';
import type { EditorMarkerJson } from '../../gen/c1/api/editor/v1/editor_pb.js';
import { ExpressionService } from '../../gen/countersign/v1/expressions_pb.js';
import { UsageError } from '../frame/io.ts';

const places = {
  people: 'EXPRESSION_ENVIRONMENT_REVIEW_USERS',
  accounts: 'EXPRESSION_ENVIRONMENT_REVIEW_ACCOUNTS',
  condition: 'EXPRESSION_ENVIRONMENT_POLICY_CONDITION',
  wait: 'EXPRESSION_ENVIRONMENT_WAIT',
  approver: 'EXPRESSION_ENVIRONMENT_POLICY_APPROVER',
  trigger: 'EXPRESSION_ENVIRONMENT_TRIGGER',
} as const;

const results: Readonly<Record<string, string>> = {
  bool: 'true or false',
  user: 'one person',
  users: 'a list of people',
  accounts: 'a list of accounts',
};

/** Adds `expression check`. */
export function addExpressionCommands(group: Commands): void {
  group.run('check', {
    description: 'check an expression, and show where it is wrong',
    operands: { '[text]': 'the expression' },
    options: {
      '--for <place>': { text: 'where it is to stand', choices: places, needed: true },
      '--file <file>': 'read the expression from this file instead',
    },
    act: async ({ text: typed, for: place, file }, session) => {
      if ((typed === undefined) === (file === undefined)) {
        throw new UsageError('pass either the expression or --file');
      }
      const text = typed ?? (await readFile(file ?? '', 'utf8'));
      const reply = await session.client.call(ExpressionService.method.validate, { text, environment: places[place] });
      const { markers = [], result = '' } = reply;
      return markers.length === 0
        ? { json: reply, text: `The expression is right. It gives ${results[result] ?? result}.` }
        : {
            json: reply,
            text: markers.flatMap((marker) => shown(text, marker)),
            failure: `the expression has ${markers.length === 1 ? 'a mistake' : `${markers.length} mistakes`}`,
          };
    },
  });
}

/** The message, and below it the line with a mark under the place. */
function shown(text: string, { message = '', startLineNumber = 1, startColumn = 1 }: EditorMarkerJson): string[] {
  const line = text.split('\n')[startLineNumber - 1] ?? '';
  return [message, `  ${line}`, `  ${line.slice(0, startColumn - 1).replace(/[^\t]/g, ' ')}^`];
}
