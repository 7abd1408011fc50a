import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { macrosInProcess as macros } from './command-in-process.js';
import { PortalOfTheSpecification, type PortalOptions } from './portal-of-the-specification.js';

export const administrator = 'ADMIN';
export const password = 'pä$$ word:"\'%1';
const sound: PortalOptions = {
  administrator,
  password,
  groups: ['SALES', 'G$1'],
  users: ['ANNA', 'BERT', 'C#@_.-9', 'SALES'],
};

/** Of a `describe`: a folder for each test, and a portal where one is started. */
export function uploads() {
  let folder: string;
  let portal: PortalOfTheSpecification;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-macros-'));
  });
  afterEach(async () => {
    await portal?.stop();
    await rm(folder, { recursive: true });
  });

  async function serve(options: Partial<PortalOptions> = {}): Promise<string> {
    portal = new PortalOfTheSpecification({ ...sound, ...options });
    await portal.start();
    return portal.address;
  }
  const upload = (args: readonly string[], input = `${password}\n`) =>
    macros(['upload', '--password-stdin', ...args], { folder, input });
  const output = () => readFileSync(join(folder, 'output.txt'), 'utf8');
  const places = () => portal.arrivals.map(({ directory, content }) => `${directory}: ${JSON.parse(content).desc}`);

  return {
    get folder() {
      return folder;
    },
    get portal() {
      return portal;
    },
    serve,
    upload,
    output,
    places,
  };
}
