import { dirname } from 'node:path';
import { Command } from 'commander';
import type { Configuration } from '../../config/configuration.js';
import { type LoadedConfiguration, loadConfiguration } from '../../config/load-configuration.js';
import { openStore, unfinishedCopy } from '../../config/open-store.js';
import { readPemFile } from '../../config/read-pem-file.js';
import { SourceError } from '../../lib/documents/source-diagnostic.js';
import { exitCodes, type Finish } from '../../lib/exit-codes.js';
import { silentLog } from '../../lib/log/log.js';
import { durationText } from '../../lib/text/duration-text.js';
import { messageOf } from '../../lib/text/messages.js';
import { configurationFile } from '../configuration-file.js';
import { configOption } from '../options.js';
import { counted, printableText } from '../output.js';
import { exchange } from '../request/http-exchange.js';
import { servingProcess } from '../serve/running-server.js';
import { authorityFilesOf, certificateFilesOf, checkAuthorities, checkCertificate } from './certificate-checks.js';
import { type Finding, findingsOf } from './finding.js';
import { checkClock, checkFileHandles, checkFolder, checkNode } from './machine-checks.js';
import { checkDirectoryServer, checkPort, checkReachable, portsOf } from './network-checks.js';
import { checkAdvisories, checkPackages } from './package-checks.js';

const TIMEOUT_MILLISECONDS = 5_000;
/** `Date` headers have whole seconds, and responses take time. */
const TOLERANCE_MILLISECONDS = 10_000;

/** Compares clocks by the `Date` header of responses to `HEAD /`. Skips services without response or `Date`. */
async function checkServiceClocks({ outboundLines }: Configuration): Promise<readonly Finding[]> {
  const found = await Promise.all(
    outboundLines.map(async ({ name, site, tls }) => {
      if (site === undefined) return [];
      const ahead = await clockAhead(`${tls === undefined ? 'http' : 'https'}://${site}/`, tls?.ca);
      return ahead === undefined ? [] : [clockFinding('clock of service', name, ahead)];
    }),
  );
  return found.flat();
}

/** @param ahead milliseconds that the other clock is ahead of this machine */
function clockFinding(check: string, name: string, ahead: number): Finding {
  const { ok, warning } = findingsOf(check, name);
  if (Math.abs(ahead) <= TOLERANCE_MILLISECONDS) return ok('agrees with the clock of this machine to within seconds');
  return warning(
    `is ${durationText(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} the clock of this machine`,
    'synchronize both clocks with a time server (chrony, systemd-timesyncd)',
  );
}

async function clockAhead(url: string, ca: string | undefined): Promise<number | undefined> {
  try {
    const asked = Date.now();
    const { headers } = await exchange(
      new URL(url),
      { method: 'HEAD', headers: {} },
      {
        timeoutMilliseconds: TIMEOUT_MILLISECONDS,
        certificateAuthorities: ca === undefined ? undefined : readPemFile(ca).toString(),
      },
    );
    const told = Date.parse(headers.date ?? '');
    return Number.isNaN(told) ? undefined : told - (asked + Date.now()) / 2;
  } catch {
    return undefined;
  }
}

interface DoctorOptions {
  readonly config?: string;
  readonly json: boolean;
  readonly offline: boolean;
}

export function doctorCommand(finish: Finish): Command {
  return new Command('doctor')
    .option(...configOption)
    .option('--json', 'one JSON object per line: check, about, state, detail, advice', false)
    .option('--offline', 'do not query the npm registry for advisories', false)
    .addHelpText(
      'after',
      '\nChecks Node.js, ports, disk space, folder permissions, the clock, file handles, certificates and keys, and whether hosts,' +
        '\nservices and the directory server answer. The server may be running; nothing is changed.' +
        '\n\nExamples:\n  sallyport doctor\n  sallyport doctor --config my.yaml --json | jq \'select(.state != "OK")\'' +
        '\n\nExit codes: 0 no FAULT, 1 at least one FAULT, 2 invalid usage',
    )
    .action(async ({ config, json, offline }: DoctorOptions) => {
      const findings: Finding[] = [];
      const print = (finding: Finding) => {
        findings.push(finding);
        process.stdout.write(`${printableText(json ? JSON.stringify(finding) : findingText(finding))}\n`);
      };
      await examine(configurationFile(config), offline, print);
      const [faults, warnings] = (['FAULT', 'WARNING'] as const).map(
        (state) => findings.filter((finding) => finding.state === state).length,
      ) as [number, number];
      if (!json) process.stdout.write(`${counted(faults, 'fault')}, ${counted(warnings, 'warning')}\n`);
      if (faults > 0) finish(exitCodes.workFailed);
    });
}

async function examine(file: string, offline: boolean, print: (finding: Finding) => void): Promise<void> {
  const now = Date.now();
  print(await checkNode(process.version, now));
  const loaded = await configurationOf(file, print);
  if (loaded !== undefined) {
    const { configuration } = loaded;
    const { data, macros, security } = configuration;
    const pid = await servingProcess(data);
    print(findingsOf('server', data).ok(pid === undefined ? 'not running' : `running as process ${pid}`));
    print(await checkClock(configuration, now));
    const folders = new Map([
      [data, 'data'],
      [dirname(security.database), 'users'],
      ...(macros === undefined ? [] : [[macros, 'macros'] as const]),
    ]);
    folders.set(data, 'data');
    for (const [folder, name] of folders) for (const finding of await checkFolder(name, folder)) print(finding);
    print(await checkFileHandles(configuration, pid));
    for (const port of portsOf(configuration)) print(await checkPort(port, pid));
    for (const files of certificateFilesOf(configuration))
      for (const finding of await checkCertificate(files, now)) print(finding);
    for (const file of authorityFilesOf(configuration))
      for (const finding of await checkAuthorities(file, now)) print(finding);
    for (const check of [checkReachable, checkServiceClocks, checkDirectoryServer, checkStore])
      for (const finding of await check(configuration)) print(finding);
  }
  print(await checkPackages());
  print(await checkAdvisories(!offline));
}

async function configurationOf(
  file: string,
  print: (finding: Finding) => void,
): Promise<LoadedConfiguration | undefined> {
  const { ok, warning, fault } = findingsOf('configuration', file);
  const advice = `sallyport check-config ${file} lists them with line numbers`;
  try {
    const loaded = await loadConfiguration(file);
    const { diagnostics } = loaded;
    print(diagnostics.length === 0 ? ok('good') : warning(counted(diagnostics.length, 'warning'), advice));
    return loaded;
  } catch (error) {
    const words = error instanceof SourceError ? counted(error.diagnostics.length, 'error') : messageOf(error);
    print(fault(words, advice));
    return undefined;
  }
}

function findingText({ state, check, about, detail, advice }: Finding): string {
  const told = `${state.padEnd(7)}  ${check} ${about}: ${detail}`;
  return advice === undefined ? told : `${told}\n         → ${advice}`;
}

async function checkStore(configuration: Configuration): Promise<readonly Finding[]> {
  if (configuration.store === undefined) {
    const unfinished = await unfinishedCopy(configuration);
    return unfinished === undefined
      ? []
      : [findingsOf('data', configuration.data).fault(unfinished.fault, unfinished.advice)];
  }
  const { ok, fault } = findingsOf('PostgreSQL', 'store.postgresql');
  const advice =
    'check that PostgreSQL is running, and check postgresql, password and ca of store; sallyport store migrate creates the tables';
  try {
    const shared = await openStore(configuration, silentLog);
    const ahead = shared === undefined ? 0 : shared.now() - Date.now();
    await shared?.close();
    return [
      ok('is reachable and writable, and its tables match this version'),
      clockFinding('clock of PostgreSQL', 'store.postgresql', ahead),
    ];
  } catch (error) {
    return [fault((error as Error).message, advice)];
  }
}
