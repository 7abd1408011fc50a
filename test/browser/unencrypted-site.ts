import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfiguration } from '../../src/config/load-configuration.js';
import { silentLog } from '../../src/lib/log/log.js';
import { startServer } from '../../src/server/server.js';
import { projectFolder } from '../support/project.js';

export interface PlainSite {
  readonly url: string;
  stop(): Promise<void>;
}

/** The shipped pages on a server whose table has no encryption. */
export async function startUnencryptedSite(): Promise<PlainSite> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-unencrypted-'));
  const file = join(folder, 'sallyport.yaml');
  writeFileSync(
    file,
    `data: ./data
directories: { CLI-DIR: '${join(projectFolder, 'templates', 'pages')}', W2H-DIR: '${join(projectFolder, 'public')}' }
hosts:
  SIM: { simulated: true, users: { DEMO: demo, ANNA: geheim } }
lines:
  C-HTTP: { listen: '127.0.0.1:0', entryPoint: CLIWHOST }
entryPoints:
  CLIWHOST:
    directory: CLI-DIR
    lastPage: BYE.HTML
    transactions:
      PLAIN: { applicationType: 1, application: SIM, page: TERMINAL.HTML }
      w2h: { applicationType: 4, application: W2H-DIR }
`,
  );
  const { configuration } = await loadConfiguration(file);
  const server = await startServer(configuration, silentLog);
  return {
    url: server.listeners[0]?.url ?? '',
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
