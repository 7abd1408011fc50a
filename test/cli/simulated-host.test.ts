import { expect } from 'chai';
import { RawConnection } from '../lines/listener/raw-connection.js';
import { sallyportInProcess } from './command-in-process.js';
import { SallyportProcess } from './sallyport-process.js';

describe('sallyport simulated-host --terminals-per-address', () => {
  it('takes as many terminals of an address, and refuses the next one in words', async () => {
    const host = new SallyportProcess(['simulated-host', '--listen', '127.0.0.1:0', '--terminals-per-address', '2']);
    try {
      const [, port] = await host.prints(/:(\d+)\n/);
      const terminals = [await RawConnection.open(Number(port)), await RawConnection.open(Number(port))];
      const past = await RawConnection.open(Number(port));
      expect(await past.untilClosed()).to.match(/address/i);
      for (const terminal of terminals) terminal.close();
    } finally {
      host.child.kill();
      await host.finished;
    }
  });

  for (const count of ['0', '10001', '1e3', 'many']) {
    it(`exits with 2 for ${count}`, async () => {
      const { code, stderr } = await sallyportInProcess(['simulated-host', '--terminals-per-address', count]);
      expect(code).to.equal(2);
      expect(stderr).to.contain('expected a number from 1 to 10000.');
    });
  }
});

describe('sallyport simulated-host at a port that another program has', () => {
  it('says so in words, and exits with 1', async () => {
    const host = new SallyportProcess(['simulated-host', '--listen', '127.0.0.1:0']);
    try {
      const [, port] = await host.prints(/:(\d+)\n/);
      expect(await sallyportInProcess(['simulated-host', '--listen', `127.0.0.1:${port}`])).to.deep.equal({
        code: 1,
        stdout: '',
        stderr: `Error: cannot listen on 127.0.0.1:${port}: the port is taken by another program\n`,
      });
    } finally {
      host.child.kill();
      await host.finished;
    }
  });
});
