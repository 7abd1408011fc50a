import { Command, InvalidArgumentError, Option } from 'commander';
import { readListenAddress } from '../../config/network-address.js';
import { readPemFile } from '../../config/read-pem-file.js';
import { type FirstApplication, firstApplications } from '../../demo/simulated-host/applications/applications.js';
import {
  type FaultName,
  faultDescriptions,
  faultNames,
  isFaultName,
} from '../../demo/simulated-host/fault-switches.js';
import { SimulatedHost } from '../../demo/simulated-host/simulated-host.js';
import { terminalLimits } from '../../demo/simulated-host/terminal-session-options.js';
import { exitCodes, type Finish } from '../../lib/exit-codes.js';
import { openingWordsOf } from '../../lines/listener/line-opening-error.js';
import { codePageNames, findCodePage } from '../../tn3270/codepage/code-pages.js';
import { numberFrom } from '../options.js';

const DEFAULT_ADDRESS = '127.0.0.1:41023';

interface SimulatedHostCommandOptions {
  readonly listen: string;
  readonly user: Readonly<Record<string, string>>;
  readonly start: FirstApplication;
  readonly fault: readonly FaultName[];
  readonly deviceName: readonly string[];
  readonly codePage: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly tn3270e: boolean;
  readonly terminalsPerAddress: number;
}

export function simulatedHostCommand(finish: Finish): Command {
  const faults = faultNames.map((name) => `  ${name.padEnd(11)} ${faultDescriptions[name]}`).join('\n');
  const command = new Command('simulated-host')

    .option('-l, --listen <address>', 'where to listen: host:port', DEFAULT_ADDRESS)
    .addOption(
      new Option('-u, --user <name=password>', 'a user of the host; may be repeated')
        .argParser(userOf)
        .default({}, 'DEMO=demo'),
    )
    .addOption(new Option('--start <screen>', 'first screen').choices(firstApplications).default('SIGNON'))
    .addOption(
      new Option('--fault <name>', 'fault to inject for every terminal; may be repeated')
        .argParser(faultOf)
        .default([], 'none'),
    )
    .addOption(
      new Option('--device-name <name>', 'an existing device name; may be repeated')
        .argParser(listed)
        .default([], 'any'),
    )
    .option('--code-page <name>', 'code page of the screens', 'IBM037')
    .option('--tls-cert <file>', 'PEM certificate: TLS from the first byte')
    .option('--tls-key <file>', 'PEM key of the certificate')
    .option('--no-tn3270e', 'plain TN3270 only')
    .addOption(
      new Option(
        '--terminals-per-address <number>',
        'maximum number of terminals per client address; a server uses one address for all its users',
      )
        .argParser(numberFrom(1, terminalLimits.terminals))
        .default(terminalLimits.terminalsPerAddress),
    )
    .addHelpText(
      'after',
      `\nFaults:\n${faults}\n\nExample:\n  sallyport simulated-host --listen 127.0.0.1:41023 --start MENU\n  c3270 127.0.0.1:41023`,
    );
  return command.action(async (options: SimulatedHostCommandOptions) => {
    const read = readListenAddress(options.listen);
    if (read.kind === 'fault') return command.error(`error: --listen: ${read.fault}`);
    const address = read.value;
    const codePage = findCodePage(options.codePage);
    if (codePage === undefined) {
      return command.error(
        `error: --code-page: expected one of ${codePageNames().join(', ')}, found ${options.codePage}`,
      );
    }
    if ((options.tlsCert === undefined) !== (options.tlsKey === undefined)) {
      return command.error('error: --tls-cert and --tls-key must be given together');
    }
    const users = Object.keys(options.user).length > 0 ? options.user : { DEMO: 'demo' };
    const host = new SimulatedHost({
      codePage,
      users,
      start: options.start,
      faults: options.fault,
      tn3270e: options.tn3270e,
      limits: { terminalsPerAddress: options.terminalsPerAddress },
      ...(options.deviceName.length > 0 ? { deviceNames: options.deviceName } : {}),
    });
    try {
      const tls = tlsOf(options);
      const at = await host
        .listen({ host: address.host ?? '::', port: address.port, ...(tls === undefined ? {} : { tls }) })
        .catch((error: unknown) => {
          throw new Error(openingWordsOf(error, address));
        });
      const shown = at.family === 'IPv6' ? `[${at.address}]` : at.address;
      process.stdout.write(`The simulated host listens on ${shown}:${at.port}${tls === undefined ? '' : ' (TLS)'}\n`);
    } catch (error) {
      process.stderr.write(`Error: ${(error as Error).message}\n`);
      finish(exitCodes.workFailed);
      return undefined;
    }
    await stopped();
    await host.close();
    return undefined;
  });
}

function userOf(text: string, users: Readonly<Record<string, string>>): Record<string, string> {
  const [, name, password] = /^([^=]{1,8})=(.{1,8})$/.exec(text) ?? [];
  if (name === undefined || password === undefined) {
    throw new InvalidArgumentError('expected NAME=PASSWORD, each of 1 to 8 characters.');
  }
  return { ...users, [name]: password };
}

function faultOf(name: string, faults: readonly FaultName[]): FaultName[] {
  if (isFaultName(name)) return [...faults, name];
  throw new InvalidArgumentError(`expected one of ${faultNames.join(', ')}.`);
}

function listed(name: string, names: readonly string[]): string[] {
  return [...names, name.toUpperCase()];
}

function tlsOf({ tlsCert, tlsKey }: SimulatedHostCommandOptions) {
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  return { cert: readPemFile(tlsCert), key: readPemFile(tlsKey) };
}

function stopped(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
  });
}
