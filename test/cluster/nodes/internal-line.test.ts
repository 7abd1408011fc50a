import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { CARRIED_HEADER, OWN_QUESTION } from '../../../src/cluster/nodes/carried-request.js';
import { InternalLine, type PassedOn } from '../../../src/cluster/nodes/internal-line.js';
import { Seal } from '../../../src/cluster/nodes/seal.js';
import { recordingLog } from '../../lines/listener/recording-log.js';
import { eventually } from '../../support/eventually.js';

const CARRIED = { line: 'L', client: '127.0.0.1', isOverTls: false, reached: '127.0.0.1' };
const seal = new Seal(async () => Buffer.alloc(32, 7));
const nothing: PassedOn = { request: () => {}, upgrade: () => {} };

describe('the internal line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-line-'));
  const path = join(folder, 'line');
  const { log, texts } = recordingLog();
  let line: InternalLine;

  async function listen(passedOn: Partial<PassedOn>): Promise<void> {
    line = new InternalLine({
      address: { kind: 'unix', path },
      tls: undefined,
      seal,
      mostConnections: 10,
      log,
      onRefused: () => {},
      passedOn: { ...nothing, ...passedOn },
      loadOf: async (code) => (code === 'a' ? '{"sessions":7}' : undefined),
    });
    await line.start();
  }

  before(() => seal.begin());
  afterEach(() => line.stop(0));
  after(() => rmSync(folder, { recursive: true }));

  /** Resolves when the connection is over. */
  const ask = (headers: Record<string, string>) =>
    new Promise((resolve) => {
      const isUpgrade = headers.Upgrade !== undefined;
      const said = seal.close(CARRIED, { method: 'GET', url: '/', framing: 'none', isUpgrade });
      const asked = request({ socketPath: path, headers: { [CARRIED_HEADER]: said, ...headers } });
      asked.on('error', () => {}).on('close', resolve);
      asked.end();
    });

  /** What a node asks for itself. */
  const question = (url: string) => {
    const said = seal.close(OWN_QUESTION, { method: 'GET', url, framing: 'none', isUpgrade: false });
    return once(request({ socketPath: path, path: url, headers: { [CARRIED_HEADER]: said } }).end(), 'response');
  };

  it('outlives a WebSocket request whose connection breaks before anybody has it', async () => {
    await listen({
      upgrade: async (_carried, _request, socket) => {
        await Promise.resolve();
        socket.destroy(new Error('reset'));
      },
    });
    await ask({ Connection: 'Upgrade', Upgrade: 'websocket' });
    const [answer] = await question('/');
    expect(answer.statusCode).to.equal(204);
    answer.resume();
  });

  it('says how much a node of its machine does, and that there is none of another code', async () => {
    await listen({});
    const asked = async (url: string) => {
      const [answer] = await question(url);
      return [answer.statusCode, Buffer.concat(await answer.toArray()).toString()];
    };
    expect(await asked('/load/a')).to.deep.equal([200, '{"sessions":7}']);
    expect(await asked('/load/b')).to.deep.equal([404, '']);
    // whoever asks for something else only wants to know whether it is there
    for (const url of ['/', '/load/', '/load/a/b', '/load/A', '/load/constructor']) {
      expect((await asked(url))[1], url).to.equal('');
    }
  });

  it('ends what fails, tells the log, and goes on', async () => {
    const fail = () => Promise.reject(new Error('a defect of ours'));
    await listen({ request: fail, upgrade: fail });
    for (const headers of [{}, { Connection: 'Upgrade', Upgrade: 'websocket' }]) await ask(headers);
    await eventually(() =>
      texts.filter((text) => text.includes('a request forwarded by another node failed')).length === 2
        ? true
        : undefined,
    );
  });
});
