import { Command, CommanderError, Help } from 'commander';
import { installedVersion } from '../config/installation.js';
import { type ExitCode, exitCodes, type Finish } from '../lib/exit-codes.js';
import { nearestName } from '../lib/text/nearest-name.js';
import { commands } from './commands.js';

const aboutProgram = ['help', '-h', '--help', '-V', '--version'];

/** @returns the exit code; a running server ends the process itself */
export async function runCommandLine(args: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = exitCodes.fine;
  const finish = (given: ExitCode) => {
    code = given;
  };
  outliveReaders(finish);
  const program = new Command('sallyport')
    .description('Web-to-host integration server. Without a command, it starts the server.')
    .version(installedVersion(), '-V, --version', 'print the version')
    .exitOverride()
    .configureHelp({ subcommandTerm: termOf })
    .showSuggestionAfterError()
    .addHelpText('after', generalExamples);
  for (const command of await commandsFor(args, finish)) {
    program.addCommand(command, { isDefault: command.name() === commands[0]?.name });
  }
  try {
    refuseUnknownCommand(program, args[0] === 'help' ? args[1] : args[0]);
    await program.parseAsync(args[0] === 'help' ? helpAbout(program, args) : [...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.fine : exitCodes.usageOrConfigurationWrong;
  }
  return code;
}

/** Loads only the commands that the arguments name; the others get only their line in the help. */
function commandsFor(args: readonly string[], finish: Finish): Promise<readonly Command[]> {
  const [first = ''] = args;
  const isDefault = !aboutProgram.includes(first) && commands.every(({ name }) => name !== first);
  return Promise.all(
    commands.map(async (listed, index) => {
      const { name, description, load } = listed;
      const isNeeded = args.includes(name) || (index === 0 && isDefault);
      const command = isNeeded ? (await load())(finish) : new Command(name);
      for (const subcommand of command.commands) {
        subcommand
          .exitOverride()
          .allowExcessArguments(false)
          .showHelpAfterError(`(sallyport ${name} ${subcommand.name()} --help explains it)`);
      }
      return command
        .description(description)
        .exitOverride()
        .allowExcessArguments(false)
        .showHelpAfterError(index === 0 ? helpHint : `(sallyport help ${name} explains it)`);
    }),
  );
}

const terms = new Map(commands.map(({ name, usage }) => [name, `${name} ${usage}`.trimEnd()]));

function termOf(command: Command): string {
  return terms.get(command.name()) ?? new Help().subcommandTerm(command);
}

/** Ignores EPIPE, because readers such as `head` may close the output. Other output errors are failures. */
function outliveReaders(finish: Finish): void {
  let isTold = false;
  for (const output of [process.stdout, process.stderr]) {
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return;
      finish(exitCodes.workFailed);
      if (isTold || output === process.stderr) return;
      isTold = true;
      process.stderr.write(`The output could not be written: ${error.message}\n`);
    });
  }
}

const helpHint = '(sallyport --help lists the commands, sallyport help COMMAND explains one)';

const generalExamples = `
Examples:
  sallyport                                      serve ./sallyport.yaml, or else the default configuration
  sallyport serve --config my.yaml
  sallyport check-config my.yaml
  sallyport assemble templates/scenarios/*.scn
  sallyport check-template templates/pages/*
  sallyport request http://127.0.0.1:41002/WS1.HTML+WS3 FROMCURRENCY=EUR TOCURRENCY=USD
  sallyport user add anna --group OPS
  sallyport simulated-host --listen 127.0.0.1:41023
  sallyport macros generate ALL Y 127.0.0.1:41001
  sallyport drive 127.0.0.1 41023
  sallyport audit verify

Exit codes: 0 success, 1 failure, 2 invalid usage or configuration`;

/** Supports `help COMMAND SUBCOMMAND`, which commander does not. @returns arguments for commander */
function helpAbout(program: Command, args: readonly string[]): string[] {
  const [, first, second] = args;
  const command = program.commands.find((one) => one.name() === first);
  if (command === undefined || second === undefined || command.commands.length === 0) return [...args];
  if (command.commands.some((one) => one.name() === second)) return [command.name(), second, '--help'];
  program.error(`error: unknown command "${first} ${second}"\n(sallyport help ${first} lists the commands)`);
}

/** Without this check the default command would accept a mistyped command as its argument. */
function refuseUnknownCommand(program: Command, first: string | undefined): void {
  const names = [...program.commands.map((command) => command.name()), 'help'];
  if (first === undefined || first.startsWith('-') || names.includes(first)) return;
  const nearest = nearestName(first, names);
  const guess = nearest === undefined ? '' : `\nDid you mean "${nearest}"?`;
  program.error(`error: unknown command "${first}"${guess}\n${helpHint}`);
}
