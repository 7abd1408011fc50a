import { Argument, Command, Option } from 'commander';
import type { Finish } from '../../lib/exit-codes.js';
import { numberFrom, serverOptions } from '../options.js';
import type { AdminOptions } from './admin-answers.js';
import type { SessionsOptions, TraceAct, TraceOptions } from './admin-requests.js';

const DEFAULT_SERVER = 'http://127.0.0.1:41001';
const MOST_SESSIONS = 1_000;
const MOST_SECONDS = 3_600;
const LEAST_TRACE_BYTES = 4_096;
const MOST_TRACE_BYTES = 4 * 1024 * 1024;

export function adminCommand(finish: Finish): Command {
  const command = new Command('admin').addHelpText('after', help);
  const subcommand = (name: string) =>
    serverOptions(command.command(name), 'the portal line', DEFAULT_SERVER).option(
      '--json',
      'print the answer of the server as JSON',
      false,
    );
  const requests = () => import('./admin-requests.js');
  subcommand('lines')
    .description('list inbound lines: state, connections, sessions, requests, last fault')
    .action(async (options: AdminOptions) => finish(await (await requests()).listLines(options)));
  subcommand('line')
    .description('show one line, or start, stop or drain it')
    .argument('<name>', 'internal name of the line')
    .addArgument(new Argument('[act]', 'what to do').choices(['show', 'start', 'stop', 'drain']).default('show'))
    .action(async (name: string, act: string, options: AdminOptions) =>
      finish(await (await requests()).operate('lines', name, act, options)),
    );
  subcommand('pools')
    .description('list the pools of sessions that services are called in')
    .action(async (options: AdminOptions) => finish(await (await requests()).list('pools', options)));
  subcommand('pool')
    .description('show one pool, drain it, or make it sign on again')
    .argument('<name>', 'its name')
    .addArgument(new Argument('[act]', 'what to do').choices(['show', 'drain', 'resume']).default('show'))
    .action(async (name: string, act: string, options: AdminOptions) =>
      finish(await (await requests()).operate('pools', name, act, options)),
    );
  subcommand('nodes')
    .description('list the nodes of the cluster: state, sessions, address')
    .action(async (options: AdminOptions) => finish(await (await requests()).list('nodes', options)));
  subcommand('node')
    .description(
      'show one node of the cluster, or drain it: it accepts no new sessions, and stops after the last one has ended',
    )
    .argument('<code>', 'code of the node, as listed by sallyport admin nodes')
    .addArgument(new Argument('[act]', 'what to do').choices(['show', 'drain']).default('show'))
    .action(async (code: string, act: string, options: AdminOptions) =>
      finish(await (await requests()).operate('nodes', code, act, options)),
    );
  subcommand('printers')
    .description('list the printers of hosts: logical unit, connection and amount printed')
    .action(async (options: AdminOptions) => finish(await (await requests()).list('printers', options)));
  subcommand('sessions')
    .description('list host sessions, newest first: user, address, line, transaction, host, logical unit')
    .option('--user <name>', 'only sessions of this user')
    .option('--line <name>', 'only sessions of this line')
    .option('--limit <count>', `maximum number of sessions, up to ${MOST_SESSIONS}`, numberFrom(1, MOST_SESSIONS), 200)
    .action(async (options: SessionsOptions) => finish(await (await requests()).listSessions(options)));
  subcommand('kill')
    .description('end a session cleanly, and notify its user that an operator ended it')
    .argument('<id>', 'identifier of the session, as listed by sallyport admin sessions')
    .action(async (id: string, options: AdminOptions) => finish(await (await requests()).endSession(id, options)));
  subcommand('message')
    .description('send a message to the user of a session')
    .argument('<id>', 'identifier of the session, as listed by sallyport admin sessions')
    .argument('<text...>', 'the message: one line of at most 300 characters')
    .action(async (id: string, words: string[], options: AdminOptions) =>
      finish(await (await requests()).sendMessage(id, words.join(' '), options)),
    );
  subcommand('drain')
    .description('begin no more sessions, tell users, and end the server when the last session has ended')
    .action(async (options: AdminOptions) => finish(await (await requests()).operateServer('drain', options)));
  subcommand('restart')
    .description('drain the workers of the server and start them again, one after the other')
    .action(async (options: AdminOptions) => finish(await (await requests()).operateServer('restart', options)));
  subcommand('trace')
    .description('trace a session, a line, a scenario or an entry point; list, get, stop and remove traces')
    .addArgument(
      new Argument('<act>', 'type of object to trace, or action on existing traces').choices([
        'session',
        'line',
        'scenario',
        'entry-point',
        'list',
        'get',
        'stop',
        'remove',
      ]),
    )
    .argument('[name]', 'object to trace, for a session its identifier; for get, stop and remove: name of the trace')
    .option(
      '--seconds <count>',
      `duration of the trace, at most ${MOST_SECONDS}; 600 if not given`,
      numberFrom(1, MOST_SECONDS),
    )
    .option(
      '--bytes <count>',
      `maximum size, ${LEAST_TRACE_BYTES} to ${MOST_TRACE_BYTES}; the latter if not given`,
      numberFrom(LEAST_TRACE_BYTES, MOST_TRACE_BYTES),
    )
    .addOption(
      new Option('--form <form>', 'for get: readable text, or for sessions also the bytes in the format of s3270')
        .choices(['text', 's3270'])
        .default('text'),
    )
    .action(async (act: TraceAct, name: string | undefined, options: TraceOptions) => {
      if ((name === undefined) !== (act === 'list')) {
        return command.error(`error: trace ${act}: ${act === 'list' ? 'no name is expected' : 'a name is missing'}`);
      }
      finish(await (await requests()).operateTrace(act, name ?? '', options));
      return undefined;
    });
  return command;
}

const help = `
The token needs the scope operation (sallyport token add ops --scope operation). Traces need the scope
tracing, because they show everything that users see and type. The audit trail records each action with the name of the token.

Examples:
  export SALLYPORT_TOKEN=…
  sallyport admin lines
  sallyport admin line C-HTTP drain --server https://portal.example
  sallyport admin pool ACCOUNTS drain
  sallyport admin node b drain
  sallyport admin sessions --user anna
  sallyport admin kill 0f3a9c417be2
  sallyport admin message 0f3a9c417be2 The host goes down at six.
  sallyport admin trace session 0f3a9c417be2 --seconds 300
  sallyport admin trace line C-HTTP --seconds 60 --bytes 1000000
  sallyport admin trace scenario SCENRATE
  sallyport admin trace list
  sallyport admin trace get 0f3a9c417be2-20270302T090000123Z --form s3270 > session.trc
  sallyport admin sessions --json | jq -r '.sessions[] | [.user, .logicalUnit] | @tsv'

Exit codes: 0 success, 1 rejected or not reached, 2 invalid usage`;
