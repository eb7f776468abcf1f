/** `countersign expression check`: whether an expression may be saved, and where it is wrong. */
import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { EditorMarkerJson } from '../gen/c1/api/editor/v1/editor_pb.js';
import { ExpressionService } from '../gen/countersign/v1/expressions_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { CommandFailure, type CommandIo, UsageError, writeJson, writeLines } from './io.ts';

interface CheckOptions extends ConnectOptions {
  readonly for: keyof typeof places;
  readonly file?: string;
}

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
export function addExpressionCommands(program: Command, io: CommandIo): void {
  const group = program.command('expression').description('expressions of reviews, policies and templates');
  withConnection(group.command('check').description('check an expression, and show where it is wrong'))
    .argument('[text]', 'the expression')
    .addOption(new Option('--for <place>', 'where it is to stand').choices(Object.keys(places)).makeOptionMandatory())
    .option('--file <file>', 'read the expression from this file instead')
    .action((text: string | undefined, options: CheckOptions) => checkExpression(io, text, options));
}

async function checkExpression(io: CommandIo, given: string | undefined, options: CheckOptions): Promise<void> {
  if ((given === undefined) === (options.file === undefined)) {
    throw new UsageError('pass either the expression or --file');
  }
  const text = given ?? (await readFile(options.file ?? '', 'utf8'));
  const reply = await connect(io, options).call(ExpressionService.method.validate, { text, environment: places[options.for] });
  const markers = reply.markers ?? [];
  if (options.json === true) {
    writeJson(io.stdout, reply);
  } else if (markers.length === 0) {
    writeLines(io.stdout, `The expression is right. It gives ${results[reply.result ?? ''] ?? reply.result}.`);
  } else {
    writeLines(io.stdout, ...markers.flatMap((marker) => shown(text, marker)));
  }
  if (markers.length > 0) {
    throw new CommandFailure(`the expression has ${markers.length === 1 ? 'a mistake' : `${markers.length} mistakes`}`);
  }
}

/** The message, and below it the line with a mark under the place. */
function shown(text: string, { message = '', startLineNumber = 1, startColumn = 1 }: EditorMarkerJson): string[] {
  const line = text.split('\n')[startLineNumber - 1] ?? '';
  return [message, `  ${line}`, `  ${line.slice(0, startColumn - 1).replace(/[^\t]/g, ' ')}^`];
}
