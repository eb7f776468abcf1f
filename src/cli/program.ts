/**
 * The command line as a function: arguments in, exit code out, so that tests run it in their own process. Exit codes: 0 fine,
 * 1 refused or failed, 2 wrong usage. Each command group stands in its own file; groups.ts lists them.
 */
import { Command, CommanderError } from 'commander';
import { type CommandGroup, commandGroups } from './groups.ts';
import { type CommandIo, reportError, writeJson } from './frame/io.ts';
import { readVersion } from '../lib/version.ts';

/** Runs the command line with the arguments after `countersign` and returns the exit code. */
export async function runCommand(args: readonly string[], io: CommandIo): Promise<number> {
  const asJson = args.includes('--json');
  try {
    const program = await buildProgram(args, io, asJson);
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      return reportError(io, error, asJson);
    }
    if (error.code === 'commander.helpDisplayed' || error.code === 'commander.version') {
      return 0;
    }
    if (asJson) {
      const message = error.code === 'commander.help' ? 'a command is missing; try --help' : error.message.replace(/^error: /, '');
      writeJson(io.stderr, { error: { code: 'USAGE', message } });
    }
    return 2;
  }
}

/** The program with the one group that the arguments name; of the others it holds what its help and its suggestions need. */
async function buildProgram(args: readonly string[], io: CommandIo, asJson: boolean): Promise<Command> {
  const program = new Command('countersign')
    .description('Self-hosted access reviews: who has access to what, is it still right, and who said so.')
    .version(readVersion(), '--version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => {
        if (!asJson) {
          io.stderr.write(text);
        }
      },
      outputError: (text, write) => write(text.replace(/^error: /, 'countersign: ')),
    })
    .showSuggestionAfterError()
    .enablePositionalOptions();
  const wanted = args[0] === 'help' ? args[1] : args[0];
  for (const group of commandGroups) {
    if (group.name === wanted) {
      await addGroup(program, group, io);
    } else {
      addOutline(program, group);
    }
  }
  return program;
}

/** Adds a group with its commands. Only then is the contract loaded, which commands are tables over. */
export async function addGroup(
  program: Command,
  { name, description, isCommand = false, load }: CommandGroup,
  io: CommandIo,
): Promise<void> {
  const { Commands } = await import('./frame/commands.ts');
  (await load())(new Commands(isCommand ? program : program.command(name).description(description), io));
}

/** Adds a group to the help of the program, without loading it. */
function addOutline(program: Command, { name, operands = '', isCommand = false, description }: CommandGroup): void {
  const outline = program.command(`${name} ${operands}`).description(description);
  if (isCommand) {
    // It has some: that much the list of commands says.
    outline.option('--options');
  }
}
