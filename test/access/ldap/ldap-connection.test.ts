import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { inspect } from 'node:util';
import { expect } from 'chai';
import { LdapConnection } from '../../../src/access/ldap/ldap-connection.js';
import { type LdapDefinition, ldapDefaults, ldapServerOf } from '../../../src/access/ldap/ldap-server.js';
import { LdapUserStore } from '../../../src/access/ldap/ldap-user-store.js';
import { recordingLog } from '../../lines/listener/recording-log.js';
import { makeCertificate } from '../../support/certificate.js';
import { eventually } from '../../support/eventually.js';
import { ldapFailures } from './ldap-failures.js';
import { foundEntry, type LdapRequest, ldapTags, pageEnd, result, ScriptedLdapServer } from './ldap-scripted-server.js';

const MOST_ANSWER_BYTES = 4 * 1024 * 1024;
const MOST_WAITING = 200;

const PASSWORD = 'canary-of-the-user-4Gk';
const READER_PASSWORD = 'canary-of-the-reader-0Ty';
const READER = 'cn=reader,dc=example';
const USER = 'uid=alice,dc=example';

/** Result codes of RFC 4511, appendix A. */
const INVALID_CREDENTIALS = 49;

describe('what a directory server may do to us', () => {
  const { log, texts } = recordingLog();
  const { failures, failureOf, isUnavailable } = ldapFailures();
  let server: ScriptedLdapServer | undefined;
  let database: LdapUserStore | undefined;

  afterEach(async () => {
    await database?.close();
    await server?.stop();
    server = undefined;
    database = undefined;
  });

  async function listening(respond?: (request: LdapRequest) => void): Promise<ScriptedLdapServer> {
    server = await ScriptedLdapServer.start(respond);
    return server;
  }

  function opened(url: string, changes: Partial<LdapDefinition> = {}): LdapUserStore {
    database = new LdapUserStore(definition(url, changes), log);
    return database;
  }

  /** Lets the search account in, finds one entry, and ends the bind of the user as told. */
  const scripted =
    (code: number, words = '', dn = USER) =>
    (request: LdapRequest) => {
      const { tag, bytes, socket } = request;
      if (tag === ldapTags.bind) {
        const isReader = bytes.includes(READER);
        socket.write(result(request, isReader ? 0 : code, Buffer.from(isReader ? '' : words)));
      }
      if (tag !== ldapTags.search) return;
      if (bytes.includes('uid')) socket.write(foundEntry(request, dn, 'uid', 'alice'));
      socket.write(result(request, 0));
    };

  describe('it never answers', () => {
    for (const [what, scheme, startTls] of [
      ['a bind', 'ldap', false],
      ['the beginning of TLS', 'ldaps', false],
      ['StartTLS', 'ldap', true],
    ] as const) {
      it(`to ${what}`, async () => {
        const url = (await listening()).url(scheme);
        const hasty = opened(url, { startTls, connectMilliseconds: 100, timeoutMilliseconds: 100 });
        await isUnavailable(hasty.signOn('alice', PASSWORD), /timed out|timeout/);
        expect(server?.connections).to.have.length(1);
        await eventually(() => server?.connections[0]?.destroyed || undefined);
      });
    }

    it('to TLS once it has agreed to StartTLS', async () => {
      const silent = await listening((request) => {
        if (request.tag === ldapTags.extended) request.socket.write(result(request, 0));
      });
      const hasty = opened(silent.url(), { startTls: true, connectMilliseconds: 100, timeoutMilliseconds: 100 });
      await isUnavailable(hasty.signOn('alice', PASSWORD), /StartTLS was not completed in time/);
      await eventually(() => silent.connections[0]?.destroyed || undefined);
    });

    it('to the bind of the user', async () => {
      const half = await listening((request) => {
        if (!request.bytes.includes(USER)) scripted(0)(request);
      });
      const hasty = opened(half.url(), { timeoutMilliseconds: 100 });
      await isUnavailable(hasty.signOn('alice', PASSWORD), /bind: BindRequest: Operation timed out/);
    });
  });

  it('takes no longer for a name that it has than for one that it does not have', async () => {
    const COMPARING = 400;
    const comparing = await listening((request) => {
      const { tag, bytes, socket } = request;
      if (tag === ldapTags.bind && bytes.includes(USER)) {
        setTimeout(() => socket.write(result(request, INVALID_CREDENTIALS)), COMPARING);
      } else if (tag === ldapTags.bind) {
        socket.write(result(request, bytes.includes(READER) ? 0 : INVALID_CREDENTIALS));
      } else if (tag === ldapTags.search) {
        if (bytes.includes('alice')) socket.write(foundEntry(request, USER, 'uid', 'alice'));
        socket.write(result(request, 0));
      }
    });
    const database = opened(comparing.url());
    expect(await database.signOn('alice', 'wrong')).to.include({ kind: 'refused' });
    const start = performance.now();
    expect(await database.signOn('nobody', 'wrong')).to.include({ kind: 'refused' });
    // timers may be a moment early
    expect(performance.now() - start).to.be.at.least(COMPARING - 10);
  });

  describe('it ends the bind of the user', () => {
    for (const [code, name] of [
      [10, 'referral'],
      [19, 'constraintViolation'],
      [32, 'noSuchObject'],
      [34, 'invalidDNSyntax'],
      [48, 'inappropriateAuthentication'],
      [49, 'invalidCredentials'],
      [50, 'insufficientAccessRights'],
      [53, 'unwillingToPerform'],
    ] as const) {
      it(`with ${name}: refused`, async () => {
        const url = (await listening(scripted(code))).url();
        expect(await opened(url).signOn('alice', PASSWORD)).to.include({ kind: 'refused' });
      });
    }

    for (const [code, words] of [
      [1, /operationsError \(1\)/],
      [2, /protocolError \(2\)/],
      [3, /timeLimitExceeded \(3\)/],
      [7, /authMethodNotSupported \(7\)/],
      [8, /strongerAuthRequired \(8\)/],
      [11, /adminLimitExceeded \(11\)/],
      [13, /confidentialityRequired \(13\)/],
      [14, /result code \(14\)/],
      [51, /busy \(51\)/],
      [52, /unavailable \(52\)/],
      [80, /result code \(80\)/],
    ] as const) {
      it(`with ${words.source}: it cannot be asked`, async () => {
        const url = (await listening(scripted(code))).url();
        await isUnavailable(opened(url).signOn('alice', PASSWORD), words);
      });
    }

    it('with the password in its words, which nobody repeats', async () => {
      for (const code of [52, INVALID_CREDENTIALS]) {
        const told = await listening(scripted(code, `${PASSWORD} and ${READER_PASSWORD}`));
        await opened(told.url())
          .signOn('alice', PASSWORD)
          .catch((error: unknown) => failures.push(inspect(error, { depth: 5, showHidden: true })));
        await told.stop();
      }
      server = undefined;
    });
  });

  for (const dn of ['', 'PLAIN', 'EXTERNAL']) {
    it(`it gives an entry the DN "${dn}", as which nobody is bound`, async () => {
      const odd = await listening(scripted(0, '', dn));
      expect(await opened(odd.url()).signOn('alice', PASSWORD)).to.include({ kind: 'refused' });
      expect(odd.requests.filter(({ bytes }) => bytes.includes(PASSWORD))).to.deep.equal([]);
    });
  }

  it('it sends the users elsewhere, where nobody follows', async () => {
    const elsewhere = await listening((request) => {
      if (request.tag === ldapTags.search) request.socket.write(result(request, 10));
      else scripted(INVALID_CREDENTIALS)(request);
    });
    expect(await opened(elsewhere.url()).signOn('alice', PASSWORD)).to.include({ kind: 'refused' });
    expect(await opened(elsewhere.url()).findUser('alice')).to.equal(undefined);
  });

  it('it hangs up between two requests, and is not called again as nobody', async () => {
    const rude = await listening((request) => request.socket.end(result(request, 0)));
    const connection = new LdapConnection(ldapServerOf(definition(rude.url(), {})));
    expect(await connection.bind(READER, READER_PASSWORD)).to.equal(0);
    // the first may be sent still, the second finds the connection closed
    await isUnavailable(connection.searchAll('dc=example', '(a=b)', []), /search: /);
    await isUnavailable(connection.searchAll('dc=example', '(a=b)', []), /search: /);
    await isUnavailable(connection.bind(READER, READER_PASSWORD), /bind: /);
    await connection.close();
    expect(rude.connections).to.have.length(1);
  });

  describe('with StartTLS', () => {
    const { cert, key } = makeCertificate();
    const secureContext = createSecureContext({ cert: readFileSync(cert), key: readFileSync(key) });
    const trusted = { startTls: true, ca: readFileSync(cert, 'utf8') };
    const overTls = (socket: Socket) => new TLSSocket(socket, { isServer: true, secureContext });

    it('it refuses', async () => {
      const unable = await listening((request) => request.socket.write(result(request, 2)));
      await isUnavailable(opened(unable.url(), trusted).signOn('alice', PASSWORD), /StartTLS: protocolError \(2\)$/);
      expect(unable.requests.filter(({ tag }) => tag !== ldapTags.unbind)).to.have.length(1);
    });

    it('somebody on the way adds the beginning of an answer in clear text', async () => {
      const added = await listening((request) => {
        if (request.tag !== ldapTags.extended) return;
        // the result of the bind that is to come, which the real answer would only fill up
        const forged = result({ ...request, id: request.id + 1, tag: ldapTags.bind }, 0, Buffer.alloc(100));
        request.socket.write(Buffer.concat([result(request, 0), forged.subarray(0, -100)]));
        overTls(request.socket).on('error', () => {});
      });
      await isUnavailable(
        opened(added.url(), trusted).signOn('alice', PASSWORD),
        /the server sent more than the answer in clear text/,
      );
    });

    it('it hangs up, and is not called again without TLS', async () => {
      const rude = await listening((request) => {
        if (request.tag !== ldapTags.extended) return;
        request.socket.removeAllListeners('data');
        request.socket.write(result(request, 0));
        const secure = overTls(request.socket).on('error', () => {});
        secure.once('secure', () => secure.destroy());
      });
      await isUnavailable(opened(rude.url(), trusted).signOn('alice', PASSWORD), /bind|StartTLS/);
      expect(rude.connections).to.have.length(1);
    });
  });

  describe('its answers are bounded', () => {
    /** The answer to the bind of the search account, of as many bytes. */
    const longAnswer = (length: number) => (request: LdapRequest) => {
      if (request.tag !== ldapTags.bind) return;
      const words = Buffer.alloc(length - result(request, 51, Buffer.alloc(1000)).length + 1000, 'x');
      const answer = result(request, 51, words);
      // lengths of four bytes from 128 on
      expect(answer).to.have.length(length);
      request.socket.write(answer);
    };

    it('at the bound', async () => {
      const url = (await listening(longAnswer(MOST_ANSWER_BYTES))).url();
      await isUnavailable(opened(url).users(), /search account: busy \(51\)$/);
    });

    it('and one past it', async () => {
      const url = (await listening(longAnswer(MOST_ANSWER_BYTES + 1))).url();
      await isUnavailable(opened(url).users(), /bind: more than 4194304 bytes$/);
    });

    it('each page of a search for itself', async () => {
      const pages = 3;
      let searches = 0;
      const large = await listening((request) => {
        if (request.tag !== ldapTags.search) return scripted(0)(request);
        searches++;
        const entry = foundEntry(request, USER, 'description', 'x'.repeat(MOST_ANSWER_BYTES / 2));
        request.socket.write(Buffer.concat([entry, pageEnd(request, searches < pages ? 'next' : '')]));
      });
      await opened(large.url()).users();
      expect(searches).to.equal(pages);
    });

    it('and lengths that lie are no answer: ldapts alone would go round for ever', async () => {
      // an entry whose list of attributes ends past the end of the message
      const lie = Buffer.from('300c0201036407 0403613d62307f'.replace(' ', ''), 'hex');
      const liar = await listening((request) => {
        if (request.tag === ldapTags.search) request.socket.write(lie);
        else scripted(0)(request);
      });
      await isUnavailable(opened(liar.url()).signOn('alice', PASSWORD), /search: the received data is not LDAP$/);
    });

    it('and nonsense is no answer', async () => {
      const url = (await listening(({ socket }) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'))).url();
      await isUnavailable(opened(url).users(), /bind: the received data is not LDAP$/);
    });
  });

  describe('those who ask are bounded', () => {
    it('by connections, and by those who wait for one', async () => {
      const silent = await listening();
      const busy = opened(silent.url(), { mostConnections: 2 });
      const waiting = Array.from({ length: 2 + MOST_WAITING }, () =>
        isUnavailable(busy.findUser('alice'), /the service is stopping$/),
      );
      const { code } = await failureOf(busy.findUser('alice'));
      expect(code).to.equal('SVC_ERR_SERVICE_BUSY');
      await eventually(() => silent.connections.length === 2 || undefined);
      await busy.close();
      await Promise.all(waiting);
      expect(silent.connections).to.have.length(2);
      await isUnavailable(busy.findUser('alice'), /the service is stopping$/);
    });

    it('by the time they wait', async () => {
      const url = (await listening()).url();
      const slow = opened(url, { mostConnections: 1, connectMilliseconds: 1, timeoutMilliseconds: 20_000 });
      // what the first one waits for is not answered either; the time is that of one connection and one answer
      const patient = opened(url, { mostConnections: 1, connectMilliseconds: 50, timeoutMilliseconds: 50 });
      const first = failureOf(patient.findUser('alice'));
      const others = [1, 2, 3, 4].map(() => failureOf(patient.findUser('alice')));
      expect((await first).code).to.equal('SVC_ERR_SECURITY_UNAVAILABLE');
      const codes = (await Promise.all(others)).map(({ code }) => code);
      expect(codes).to.include('SVC_ERR_SERVICE_BUSY');
      await slow.close();
    });

    it('and each has its turn', async () => {
      const well = await listening(scripted(0));
      const one = opened(well.url(), { mostConnections: 1 });
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => one.signOn('alice', PASSWORD)));
      expect(outcomes.map(({ kind }) => kind)).to.deep.equal(Array(20).fill('signedOn'));
      expect(well.connections).to.have.length(60);
    });
  });

  describe('what it leaves behind', () => {
    it('has told nobody a password', () => {
      expect(failures.length).to.be.greaterThan(10);
      for (const password of [PASSWORD, READER_PASSWORD])
        expect([...texts, ...failures].join('\n')).not.to.include(password);
    });
  });
});

describe('what a definition of a directory may be', () => {
  for (const [changes, words] of [
    [{ url: 'nonsense' }, /^url: not a URL$/],
    [{ url: 'http://localhost' }, /^url: begins with neither/],
    [{ url: 'ldap://' }, /^url: /],
    [{ url: `ldap://reader:${READER_PASSWORD}@localhost` }, /^url: is a host/],
    [{ url: 'ldap://localhost/dc=example' }, /^url: is a host/],
    [{ url: 'ldaps://localhost', startTls: true }, /^startTls: /],
    [{ ca: 'nonsense' }, /^ca: has no certificate/],
    [{ ca: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n' }, /^ca: .*cannot be read$/],
    [{ userFilter: '(uid=alice)' }, /^userFilter: needs \{user\}$/],
    [{ userFilter: '(&(uid={user})' }, /^userFilter: not a filter/],
    [{ userFilter: '(uid={user}))' }, /^userFilter: not a filter/],
    [{ groupFilter: '(member=x)' }, /^groupFilter: needs \{dn\} or \{user\}$/],
    [{ bindDn: undefined }, /^bindDn: expected together with bindPassword$/],
    [{ bindPassword: undefined }, /^bindDn: expected together with bindPassword$/],
    [{ bindPassword: '' }, /^bindPassword: is empty$/],
    [{ bindDn: 'EXTERNAL' }, /^bindDn: not a DN$/],
  ] as const) {
    it(`not ${inspect(changes, { breakLength: Number.POSITIVE_INFINITY })}`, () => {
      const { log } = recordingLog();
      let message = '';
      try {
        new LdapUserStore(definition('ldap://localhost', changes), log);
      } catch (error) {
        message = error instanceof Error ? error.message : '';
      }
      expect(message).to.match(words);
      expect(message).not.to.include(READER_PASSWORD);
    });
  }
});

function definition(url: string, changes: Partial<LdapDefinition>): LdapDefinition {
  return {
    ...ldapDefaults,
    url,
    startTls: false,
    ca: undefined,
    verify: true,
    bindDn: READER,
    bindPassword: READER_PASSWORD,
    userBase: 'dc=example',
    groupBase: 'dc=example',
    defaultGroupAttribute: undefined,
    administratorGroup: undefined,
    operatorGroup: undefined,
    connectMilliseconds: 5000,
    timeoutMilliseconds: 5000,
    mostConnections: 4,
    ...changes,
  };
}
