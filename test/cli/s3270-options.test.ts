import { expect } from 'chai';
import { readS3270Options } from '../../src/s3270/program/s3270-options.js';

describe('options of sallyport s3270', () => {
  const read = (...words: string[]) =>
    readS3270Options(words, (file) => [`! of ${file}`, 's3270.model: 3279-2', '*port: 992']);
  const faultOf = (...words: string[]) => {
    const outcome = read(...words);
    return outcome.kind === 'fault' ? outcome.fault : undefined;
  };
  const warningsOf = (...words: string[]) => {
    const outcome = read(...words);
    return outcome.kind === 'read' && typeof outcome.value === 'object' ? outcome.value.warnings.join('\n') : undefined;
  };

  it('are those that the clients of s3270 start it with', () => {
    for (const words of [
      ['-xrm', 's3270.unlockDelay: False'],
      ['-xrm', 's3270.unlockDelay: False', '-xrm', '*model: 2', '-utf8'],
      ['-model', '3279-2-E', '-port', '992', '-charset', 'cp1047', '-trace', '-tracefile', '/tmp/t', '-noverifycert'],
      ['-utf8', '-minversion', '3.6', '-scriptport', '4000', '-scriptportonce', 'host:23'],
      ['-set', 'startTls=false', '-set', 'blankFill', '-clear', 'aidWait', '-user', 'ANNA', '-connecttimeout', '5'],
      ['-httpd', '[::1]:8080', '-callback', '127.0.0.1:4001', '-proxy', 'socks5:user:word@proxy.example', '-6', 'host'],
      [
        '-tlsminprotocol',
        'tls1.2',
        '-tlsmaxprotocol',
        'TLS1.3',
        '-keypasswd',
        'string:x',
        '-cookiefile',
        '/c',
        '-tn',
        'X',
      ],
    ]) {
      expect(faultOf(...words), words.join(' ')).to.equal(undefined);
      expect(warningsOf(...words), words.join(' ')).to.equal('');
    }
    expect(read('LU1@host')).to.have.nested.property('value.host', 'LU1@host');
    expect(read('host', '2023')).to.have.nested.property('value.host', 'host:2023');
    expect(read('--help')).to.deep.equal({ kind: 'read', value: 'help' });
    expect(read('-v')).to.deep.equal({ kind: 'read', value: 'version' });
    expect(read('-foo', '--version')).to.deep.equal({ kind: 'read', value: 'version' });
    expect(faultOf('-set', '-v')).to.match(/^Unknown Boolean toggle '-v'/);
    // what follows -e is the program's, and a host may have any name
    expect(read('-e', 'ls', '--help')).to.have.deep.nested.property('value.program', ['ls', '--help']);
    expect(read('constructor')).to.have.nested.property('value.host', 'constructor');
  });

  it('make no difference with -utenv', () => {
    expect(read('-utenv', '-user', 'U', 'host')).to.deep.equal(read('-user', 'U', 'host'));
  });

  it('that are resources of transfers hold as words of Transfer, integers up to 32 bits', () => {
    const words = ['-xrm', 's3270.ftHost: V', '-xrm', '*ftLrecl: 0x50', '-xrm', 's3270.ftBlksize: 2147483647'];
    const transferDefaults = { host: 'vm', lrecl: '80', blksize: '2147483647' };
    expect(read(...words)).to.have.deep.nested.property('value.transferDefaults', transferDefaults);
    expect(warningsOf(...words)).to.equal('');
    expect(warningsOf('-xrm', 's3270.ftLrecl: 2147483648')).to.equal(
      'Warning: -xrm: Invalid Integer value: 2147483648',
    );
  });

  it('of idle commands are times of 12 days at most', () => {
    const idle = (timeout: string, isEnabled = 'true') =>
      read(
        ...['-xrm', 's3270.idleCommand: PF(3)', '-xrm', `s3270.idleTimeout: ${timeout}`],
        ...['-xrm', `s3270.idleCommandEnabled: ${isEnabled}`],
      );
    for (const [timeout, milliseconds] of [
      ['30', 30_000],
      ['7m', 420_000],
      ['1073741s', 1_073_741_000],
      ['1073742s', 1_073_741_824],
    ] as const) {
      const expected = { actions: 'PF(3)', milliseconds, varies: false };
      expect(idle(timeout), timeout).to.have.deep.nested.property('value.idle', expected);
    }
    expect(idle('~1h')).to.have.nested.property('value.idle.varies', true);
    expect(idle('1h', 'false')).to.have.nested.property('value.idle', undefined);
    expect(idle('never')).to.have.nested.property('value.idle', undefined);
  });

  it('come from a session file, too', () => {
    const outcome = read('my.s3270', '-port', '23');
    if (outcome.kind === 'fault' || typeof outcome.value === 'string') throw new Error('not read');
    expect(outcome.value.toggles.get('model')).to.equal('3279-2');
    expect(outcome.value.toggles.get('port')).to.equal('23');
    expect(outcome.value.host).to.equal(undefined);
  });

  it('that are unknown are said to be, and what is near', () => {
    expect(faultOf('-modle', '2')).to.match(
      /^Unknown or incomplete option: -modle \(did you mean "-model"\?\)\nUsage: /,
    );
    expect(faultOf('-set', 'blankFil')).to.include('(did you mean "blankFill"?)');
    expect(faultOf('-set', 'startTls=maybe')).to.match(/^Error: -set startTls=maybe: invalid value/);
    expect(faultOf('-minversion', '9.9')).to.equal('Version 4.6ga1 < requested 9.9, aborting');
    expect(faultOf('-set', 'foo')).to.match(/^Unknown Boolean toggle 'foo'. Toggle names are:\n aidWait alwaysInsert /);
    expect(faultOf('-clear', 'model')).to.match(/^Unknown Boolean toggle 'model'. Toggle names are:\n aidWait /);
    // s3270 4.1, tried
    for (const version of ['x', '.1', '3.x', '4.1ga', '3.6x', '3.6 ', '']) {
      expect(faultOf('-minversion', version)).to.equal(`Invalid minVersion: ${version}`);
    }
    for (const version of ['4', '4.', '4.1', '4.1ga9', '4.1alpha3', '3.6.1', ' 3.6', '4.6']) {
      expect(faultOf('-minversion', version), version).to.equal(undefined);
    }
    expect(faultOf('a', 'b', 'c')).to.match(/^Too many command-line arguments\nUsage: /);
  });

  it('that do no harm are warned of', () => {
    expect(warningsOf('-xrm', 's3270.blankFil: true')).to.include('blankFill');
    expect(warningsOf('-xrm', 'x')).to.equal(
      "Warning: -xrm: Invalid resource syntax 'x', name must begin with 's3270.', '*'",
    );
    expect(warningsOf('-model')).to.equal("Missing value for '-model'");
    // told by the first connection: nobody is connected past a proxy
    expect(warningsOf('-proxy', 'foo:bar')).to.equal('');
  });
});
