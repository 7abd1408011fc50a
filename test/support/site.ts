import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfiguration } from '../../src/config/load-configuration.js';
import type { Log } from '../../src/lib/log/log.js';
import { startServer } from '../../src/server/server.js';
import { projectFolder } from './project.js';

export interface RunningSite {
  /** URL of the client line, without a trailing slash. */
  readonly url: string;
  readonly administrationUrl: string;
  readonly folder: string;
  stop(): Promise<void>;
}

export interface SiteOptions {
  /** `host:port` of the currency service that the scenarios call. */
  readonly service: string;
  /** MAXTIME of the scenarios, in hundredths of a second. */
  readonly maxTime: number;
  readonly log: Log;
}

export function copyOfShippedSite({ service, maxTime }: Omit<SiteOptions, 'log'>): string {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-'));
  for (const part of ['templates', 'public'])
    cpSync(join(projectFolder, part), join(folder, part), { recursive: true });
  for (const name of ['SCENRATE.scn', 'SCENPAGE.scn']) {
    const file = join(folder, 'templates/scenarios', name);
    const source = readFileSync(file, 'utf8');
    writeFileSync(file, source.replace('127.0.0.1:41080', service).replace('MAXTIME=1000', `MAXTIME=${maxTime}`));
  }
  const shipped = readFileSync(join(projectFolder, 'sallyport.yaml'), 'utf8');
  const onFreePorts = shipped.replaceAll(/127\.0\.0\.1:4100[123]/g, '127.0.0.1:0').replace(/^demo:\n.*$/m, '');
  // creating 256 keys in advance would take seconds of processor time from parallel tests
  writeFileSync(join(folder, 'sallyport.yaml'), `${onFreePorts}\nsessions: { keysReady: 0 }\n`);
  return folder;
}

export async function startSite({ log, ...changes }: SiteOptions): Promise<RunningSite> {
  const folder = copyOfShippedSite(changes);
  const { configuration } = await loadConfiguration(join(folder, 'sallyport.yaml'));
  const server = await startServer(configuration, log);
  const urlOf = (line: string) => server.listeners.find(({ name }) => name === line)?.url ?? '';
  return {
    url: urlOf('C-HTTP'),
    administrationUrl: urlOf('W-HTTP'),
    folder,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
