import { dirname, resolve } from 'node:path';
import type { Configuration } from '../../config/configuration.js';
import type { SimulatedHostDocument } from '../../config/configuration-document.js';
import { type LoadedServices, loadServices } from '../../config/load-services.js';
import { type ExitCode, exitCodes } from '../../lib/exit-codes.js';
import { silentLog } from '../../lib/log/log.js';
import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { didYouMean } from '../../lib/text/nearest-name.js';
import { maskSecrets, secretsOf } from '../../services/mask-secrets.js';
import { readParameters } from '../../services/parameter.js';
import { runSteps, type WalkNews, type WalkOutcome } from '../../services/run-steps.js';
import type { ServiceDefinition, ServiceStep } from '../../services/service-definition.js';
import { noTerminalWishes } from '../../sessions/session-host.js';
import { Conversation } from '../../tn3270/conversation/conversation.js';
import { hostEndWords } from '../../tn3270/conversation/host-end-words.js';
import type { UndoneStep } from '../../tn3270/conversation/step.js';
import type { ScreenImage } from '../../tn3270/screen/screen-image.js';
import { askHidden, NoAnswerError } from '../ask.js';
import { configurationFile, usableConfiguration } from '../configuration-file.js';
import { stopConversation } from '../drive/drive-settings.js';
import { counted, printableText, printDiagnostics } from '../output.js';
import { jsonValue, readGiven } from './service-requests.js';

export interface TryOptions {
  readonly config?: string;
  readonly host?: string;
  readonly signOn?: string;
}

/** A service of the trial; all run in the same session. */
interface Stage {
  readonly name: string;
  readonly steps: readonly ServiceStep[];
  readonly values: ReadonlyMap<string, string>;
}

export async function tryService(file: string, words: readonly string[], options: TryOptions): Promise<ExitCode> {
  const wrong = (text: string) => {
    process.stderr.write(`${printableText(text)}\n`);
    return exitCodes.usageOrConfigurationWrong;
  };
  const given = readGiven(words);
  if (given.kind === 'fault') return wrong(`error: ${given.fault}`);
  const loaded = await loadServices(dirname(resolve(file)));
  const service = serviceIn(loaded, file);
  if (service === undefined) return exitCodes.usageOrConfigurationWrong;
  const signOn = options.signOn === undefined ? undefined : loaded.services.get(options.signOn);
  if (options.signOn !== undefined && signOn === undefined) {
    return wrong(`error: there is no service ${options.signOn}${didYouMean(options.signOn, loaded.services.keys())}`);
  }
  const walked = signOn === undefined ? [service] : [signOn, service];
  const stages = await stagesOf(walked, given.value);
  if (stages.kind === 'fault') return wrong(stages.fault);
  const configured = await usableConfiguration(configurationFile(options.config));
  if (configured === undefined) return exitCodes.usageOrConfigurationWrong;
  const { configuration } = configured;
  const host = hostOf(configuration, options.host);
  if (host.kind === 'fault') return wrong(`error: ${host.fault}`);
  return walk(stages.value, {
    loaded,
    configuration,
    host: host.value,
    secrets: walked.flatMap(({ parameters }, at) => secretsOf(parameters, stages.value[at]?.values ?? new Map())),
  });
}

function serviceIn({ services, serviceFiles, reports }: LoadedServices, file: string): ServiceDefinition | undefined {
  const folder = dirname(resolve(file));
  const mine = [resolve(file), resolve(folder, 'screens.yaml'), folder];
  let errors = 0;
  for (const { diagnostics, source } of reports) {
    const own = diagnostics.filter((diagnostic) => mine.includes(resolve(diagnostic.file)));
    errors += printDiagnostics(own, source);
  }
  const [name] = [...serviceFiles].find(([, path]) => resolve(path) === resolve(file)) ?? [];
  const service = errors > 0 || name === undefined ? undefined : services.get(name);
  if (service !== undefined) return service;
  process.stderr.write(
    `${printableText(file)}: ${errors > 0 ? counted(errors, 'error') : 'there is no such service file'}\n`,
  );
  return undefined;
}

/** Distributes parameters by name, and asks for secret ones. */
async function stagesOf(
  services: readonly ServiceDefinition[],
  given: ReadonlyMap<string, string>,
): Promise<ReadOutcome<readonly Stage[]>> {
  const stages: Stage[] = [];
  const unknown = [...given.keys()].find((name) => services.every(({ parameters }) => !parameters.has(name)));
  if (unknown !== undefined) return readFault(`error: there is no parameter ${unknown}`);
  for (const { name, parameters, work } of services) {
    if (work.kind === 'scenario') return readFault(`error: ${name} is made of a scenario: use sallyport service call`);
    const values = new Map<string, unknown>();
    for (const [key, definition] of parameters) {
      const text = given.get(key);
      if (definition.secret && text !== undefined) {
        return readFault(
          `error: ${key} is secret, and other users can see command lines: leave it out, and enter it when prompted`,
        );
      }
      if (text !== undefined) values.set(key, jsonValue(definition, text));
      if (!definition.secret) continue;
      const secret = await secretFor(key, definition.required);
      if (secret.kind === 'fault') return secret;
      if (secret.value !== undefined) values.set(key, secret.value);
    }
    const read = readParameters(parameters, Object.fromEntries(values));
    if (read.kind === 'faults') {
      return readFault(read.faults.map(({ pointer, message }) => `${name} ${pointer}: ${message}`).join('\n'));
    }
    stages.push({ name, steps: work.steps, values: read.values });
  }
  return readAs(stages);
}

async function secretFor(name: string, isRequired: boolean): Promise<ReadOutcome<string | undefined>> {
  try {
    const answer = await askHidden(`${name}${isRequired ? '' : ' (optional)'}: `);
    return readAs(answer === '' && !isRequired ? undefined : answer);
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    return isRequired ? readFault(error.message) : readAs(undefined);
  }
}

function hostOf({ hosts }: Configuration, named: string | undefined): ReadOutcome<string> {
  if (named !== undefined) {
    return hosts.has(named) ? readAs(named) : readFault(`there is no host ${named}${didYouMean(named, hosts.keys())}`);
  }
  const [only, ...others] = hosts.keys();
  if (only === undefined) return readFault('the configuration has no host');
  return others.length === 0 ? readAs(only) : readFault(`--host names one of ${[only, ...others].join(', ')}`);
}

interface TrialContext {
  readonly loaded: LoadedServices;
  readonly configuration: Configuration;
  readonly host: string;
  readonly secrets: readonly string[];
}

async function walk(
  stages: readonly Stage[],
  { loaded, configuration, host, secrets }: TrialContext,
): Promise<ExitCode> {
  const { HostsPart } = await import('../../server/parts/hosts-part.js');
  const definition = configuration.hosts.get(host);
  if (definition === undefined) return exitCodes.usageOrConfigurationWrong;
  // simulated hosts run in this process without port, because the port belongs to the server
  const alone = definition.simulated ? withoutPort(definition) : definition;
  const hosts = new HostsPart({ ...configuration, hosts: new Map([[host, alone]]) }, silentLog);
  let conversation: Conversation | undefined;
  try {
    await hosts.start();
    const options = hosts.sessionHosts.get(host)?.optionsFor(noTerminalWishes);
    if (options?.kind !== 'read') throw new Error(options?.fault ?? `there is no host ${host}`);
    conversation = new Conversation(options.value);
    conversation.connect();
    for (const { name, steps, values } of stages) {
      process.stderr.write(`${name}\n`);
      const outcome = await runSteps({
        session: conversation,
        screens: loaded.screens,
        steps,
        values,
        signal: new AbortController().signal,
        tell: (news) => process.stderr.write(`  ${newsWords(news, steps)}\n`),
      });
      if (!report(maskSecrets(outcome, secrets), name === stages.at(-1)?.name)) return exitCodes.workFailed;
    }
    return exitCodes.fine;
  } catch (error) {
    process.stderr.write(`${printableText((error as Error).message)}\n`);
    return exitCodes.workFailed;
  } finally {
    if (conversation !== undefined) await stopConversation(conversation);
    await hosts.stop();
  }
}

function withoutPort({ listen: _, ...others }: SimulatedHostDocument): SimulatedHostDocument {
  return others;
}

function report(outcome: WalkOutcome, isLast: boolean): boolean {
  if (outcome.kind === 'done') {
    if (isLast) process.stdout.write(`${JSON.stringify(outcome.extracts, null, 2)}\n`);
    return true;
  }
  if (outcome.kind === 'answered') {
    process.stderr.write(`${outcome.status} ${outcome.code}: ${printableText(outcome.message)}\n`);
    return false;
  }
  for (const line of failureWords(outcome)) process.stderr.write(`  ${printableText(line)}\n`);
  const picture = outcome.kind === 'failed' && 'image' in outcome.failure ? outcome.failure.image : undefined;
  if (picture !== undefined) process.stderr.write(`${pictureText(picture)}\n`);
  return false;
}

function pictureText({ text: displayed, rows, columns }: ScreenImage): string {
  const edge = `+${'-'.repeat(columns)}+`;
  const lines = Array.from({ length: rows }, (_, row) => {
    const text = printableText(displayed.slice(row * columns, (row + 1) * columns));
    return `|${text.replaceAll(/[\n\t]/g, ' ')}|`;
  });
  return [edge, ...lines, edge].join('\n');
}

type Unfinished = Exclude<WalkOutcome, { kind: 'done' } | { kind: 'answered' }>;

/** Describes a step with the text of the file, without parameter values. */
function newsWords({ kind, step, ...news }: WalkNews, steps: readonly ServiceStep[]): string {
  const { at, fill = [], type = [], press, transfer, extract } = steps[step - 1] ?? {};
  if (kind === 'leftOut') return `step ${step}: skipped, the host is not at ${at?.join(' or ')}`;
  const screen = 'screen' in news ? news.screen : '';
  const does = [
    ...(extract === undefined || extract.size === 0 ? [] : [`read ${[...extract.keys()].join(', ')}`]),
    ...(fill.length === 0 ? [] : [`fill in ${fill.map(({ field }) => fieldWords(field)).join(', ')}`]),
    ...(type.length === 0 ? [] : ['type']),
    ...(press === undefined ? [] : [`press ${press}`]),
    ...(transfer === undefined ? [] : [`${transfer.options.direction} the file ${transfer.contents}`]),
  ];
  return `step ${step}: ${screen}${does.length === 0 ? '' : ` (${does.join('; ')})`}`;
}

function fieldWords(field: ServiceStep['fill'][number]['field']): string {
  return 'label' in field ? JSON.stringify(field.label) : `row ${field.at[0]}, column ${field.at[1]}`;
}

function failureWords(outcome: Unfinished): readonly string[] {
  const begin = `step ${outcome.step}:`;
  switch (outcome.kind) {
    case 'failed':
      return undoneWords(outcome.failure).map((line, at) => (at === 0 ? `${begin} ${line}` : line));
    case 'unreadable':
      return outcome.faults.map(({ name, row, expected }) => {
        return `${begin} ${name}${row === undefined ? '' : ` in row ${row}`}: expected ${expected}`;
      });
    case 'tooManyRows':
      return [
        `${begin} ${outcome.name}: there are more rows than "most" allows, or the table did not end as "until" requires`,
      ];
    case 'notTransferred':
      return [`${begin} the file was not transferred: ${outcome.words}`];
  }
}

function undoneWords(failure: UndoneStep): readonly string[] {
  switch (failure.kind) {
    case 'guardFailed':
      return [
        `the host shows none of ${failure.expected.join(', ')}`,
        ...failure.differs.flatMap(({ screen, differs }) => differs.map((line) => `  ${screen}: ${line}`)),
      ];
    case 'timedOut':
      return [
        `the host has not answered in time${failure.expected.length === 0 ? '' : ` with ${failure.expected.join(', ')}`}`,
      ];
    case 'operatorError':
      return [`the terminal rejected the input at row ${failure.at[0]}, column ${failure.at[1]}: ${failure.code}`];
    case 'withheld':
      return ['the INPUT scenario of the transaction withheld the key'];
    case 'hostGone':
      return [hostEndWords(failure.end)];
    case 'screenFault':
      return [`the host sent a faulty record (X PROG ${failure.programCheck})`];
  }
}
