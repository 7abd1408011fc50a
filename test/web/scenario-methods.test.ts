import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { exchange, statusOf } from '../lines/listener/raw-connection.js';
import { type PortalSite, startPortalSite } from '../support/portal-site.js';

const LARGEST_FILE = 16_777_216;
const LARGEST_FIELD = 1_048_576;

/** Answers with what it finds in the request: `label:value` for each, in square brackets. */
const source = `ECHO     SCREENS APPL=ECHO,EXEC=NO
RECORD   MAP$  BEGIN
         MAP$  AREA,WITH='name',TYPE=X,LENGTH=6
RECORD   MAP$  END
         SCENARIO INITIAL
         SET$  ENCODING,UTF-8,'IBM1147'
         COPY$ INPUT-TO-VARIABLE,FIELD='FORMAT',VAR='FORMAT'
         CASE$ 'FORMAT',(EQ,'JSON',JSON),(EQ,'XML',XML),
               (EQ,'QUERY',QUERY),(EQ,'FIELD',FIELD),
               (EQ,'FILE',FILE),(EQ,'NAMED',NAMED),ELSE=PARMS
JSON     EQU   *
RECORD   MAP$  FROM-INPUT,JSON
         GOTO$ MAPPED
XML      EQU   *
RECORD   MAP$  FROM-INPUT,XML
         GOTO$ MAPPED
QUERY    EQU   *
RECORD   MAP$  FROM-INPUT,QUERY
         GOTO$ MAPPED
FIELD    EQU   *
RECORD   MAP$  FROM-FIELD,XML,FIELD='doc'
         GOTO$ MAPPED
FILE     COPY$ INPUT-FILE-TO-VARIABLE
         IF$   NOT-FOUND,THEN=NONE
         GOTO$ INFILE
NAMED    COPY$ INPUT-FILE-TO-VARIABLE,FILE='second'
         IF$   NOT-FOUND,THEN=NONE
INFILE   EQU   *
         SEND$ AS-ANSWER,VAR='$INFILE$',TYPE='text/plain'
         SCENARIO END
NONE     COPY$ VALUE-TO-VARIABLE,VAR='OUT',VALUE='no file'
         GOTO$ SEND
MAPPED   EQU   *
RECORD   MAP$  TO-VARIABLE,VAR='OUT'
         GOTO$ SEND
PARMS    COPY$ INPUT-TO-VARIABLE,FIELD='A',VAR='A'
         FOREACH$ VALUE-IN-VARIABLE,'A'
         COPY$ LIST-TO-VARIABLE,VAR='OUT',LIST=('*OUT','[','*A',']'),
               TYPE=REPLACE
         ENDFOR$
SEND     SEND$ AS-ANSWER,VAR='OUT',TYPE='text/plain'
         SCENARIO END
         SCRNEND
         END
`;

describe('methods of scenario transactions', () => {
  let site: PortalSite;
  let folder: string;
  let port: number;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-methods-'));
    mkdirSync(join(folder, 'scenarios'));
    writeFileSync(join(folder, 'scenarios', 'ECHO.scn'), source);
    site = await startPortalSite({
      clientLine: `limits: { bodyBytes: ${LARGEST_FILE + LARGEST_FIELD} }`,
      transactions: `
      ECHO: { applicationType: 2, tioaAtLogon: '&/S', initialScenario: ECHO }
      TSO: { applicationType: 1, application: SIM, page: TERMINAL.HTML }`,
      yaml: `scenarios: '${join(folder, 'scenarios')}'
scenarioLimits: { variableBytes: 100000000 }`,
    });
    port = Number(new URL(site.clientUrl).port);
  });

  after(async () => {
    await site.stop();
    rmSync(folder, { recursive: true });
  });

  const post = (query: string, body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) =>
    fetch(`${site.clientUrl}/WS1.HTML+ECHO${query}`, { method: 'POST', body, headers });
  const answerTo = async (...request: Parameters<typeof post>) => {
    const answer = await post(...request);
    expect(answer.status).to.equal(200);
    return answer.text();
  };
  const refusalOf = async (...[query, body, headers]: Parameters<typeof post>) => {
    const answer = await post(query, body, { ...headers, Accept: 'application/json' });
    const { code, message } = (await answer.json()) as { code: string; message: string };
    return { status: answer.status, code, message };
  };
  const raw = (line: string, ...headers: string[]) =>
    exchange(port, `${[`${line} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`);

  describe('POST', () => {
    it('maps a body of JSON, XML or a query (MAP$ FROM-INPUT)', async () => {
      expect(await answerTo('?FORMAT=JSON', '{"name":"Zoë"}', { 'Content-Type': 'application/json' })).to.equal(
        'Zoë   ',
      );
      expect(await answerTo('?FORMAT=XML', '<r><name>Zoë</name></r>', { 'Content-Type': 'text/xml' })).to.equal(
        'Zoë   ',
      );
      expect(await answerTo('?FORMAT=QUERY', 'name=Zo%C3%AB', { 'Content-Type': 'text/plain' })).to.equal('Zoë   ');
    });

    it('reads a body in the encoding that its type names', async () => {
      const body = Buffer.from('<r><name>Zoë</name></r>', 'latin1');
      expect(await answerTo('?FORMAT=XML', body, { 'Content-Type': 'text/xml; charset=ISO-8859-1' })).to.equal(
        'Zoë   ',
      );
    });

    it('reads fields of a form like parameters, after those of the query', async () => {
      expect(
        await answerTo(
          '?A=1',
          new URLSearchParams([
            ['A', 'x y'],
            ['a', '-'],
            ['A', 'é'],
          ]),
        ),
      ).to.equal('[1][x y][é]');
      const form = new FormData();
      form.append('A', '2 + 2');
      form.append('A', '日');
      expect(await answerTo('?A=1', form)).to.equal('[1][2 + 2][日]');
    });

    it('maps a form as a query, too', async () => {
      expect(await answerTo('?FORMAT=QUERY', new URLSearchParams({ name: 'Zoë', other: 'x' }))).to.equal('Zoë   ');
    });

    it('maps XML in a field of a form (MAP$ FROM-FIELD)', async () => {
      const doc = '<r><name>Zoë</name></r>';
      expect(await answerTo('?FORMAT=FIELD', new URLSearchParams({ doc }))).to.equal('Zoë   ');
      const form = new FormData();
      form.append('doc', doc);
      expect(await answerTo('?FORMAT=FIELD', form)).to.equal('Zoë   ');
    });

    it('copies the first file, or the one of a name, to the byte (COPY$ INPUT-FILE-TO-VARIABLE)', async () => {
      const form = new FormData();
      const bytes = Uint8Array.from({ length: 1_000 }, (_, at) => at % 256);
      form.append('text', 'no file');
      form.append('first', new Blob([bytes]), 'a.bin');
      form.append('second', new Blob(['two\r\n--']), 'b.txt');
      const first = await (await post('?FORMAT=FILE', form)).arrayBuffer();
      expect(Buffer.from(first).equals(bytes)).to.equal(true);
      expect(await answerTo('?FORMAT=NAMED', form)).to.equal('two\r\n--');
    });

    it('finds no file where none was sent', async () => {
      const form = new FormData();
      form.append('second', new Blob([]), '');
      expect(await answerTo('?FORMAT=NAMED', form)).to.equal('no file');
      expect(await answerTo('?FORMAT=FILE', 'text', { 'Content-Type': 'text/plain' })).to.equal('no file');
      expect(await (await fetch(`${site.clientUrl}/WS1.HTML+ECHO?FORMAT=FILE`)).text()).to.equal('no file');
    });

    it('answers without a body as GET does', async () => {
      expect(await raw('POST /WS1.HTML+ECHO?A=1', 'Content-Length: 0')).to.match(
        /^HTTP\/1\.1 200 OK[\s\S]*\r\n\r\n\[1\]$/,
      );
    });

    const textOf = (bytes: number) => 'x'.repeat(bytes);
    const fileForm = (files: number, bytes = 1) => {
      const form = new FormData();
      for (let at = 0; at < files; at++) form.append('file', new Blob([textOf(bytes)]), `f${at}`);
      return form;
    };
    const fieldForm = (fields: number, bytes = 1) => {
      const form = new FormData();
      for (let at = 0; at < fields; at++) form.append(`f${at}`, textOf(bytes));
      return form;
    };
    const urlForm = (fields: number) =>
      new URLSearchParams(Array.from({ length: fields }, (_, at): [string, string] => [`f${at}`, '']));
    for (const { what, at, past, code } of [
      {
        what: 'a body of bodyBytes',
        at: () => textOf(LARGEST_FILE + LARGEST_FIELD),
        past: () => textOf(LARGEST_FILE + LARGEST_FIELD + 1),
        code: 'SVC_ERR_REQUEST_BODY_SIZE',
      },
      { what: '16 files', at: () => fileForm(16), past: () => fileForm(17), code: 'SVC_ERR_REQUEST_BODY_SIZE' },
      {
        what: 'a file of 16 MiB',
        at: () => fileForm(1, LARGEST_FILE),
        past: () => fileForm(1, LARGEST_FILE + 1),
        code: 'SVC_ERR_REQUEST_BODY_SIZE',
      },
      {
        what: '1,000 parts',
        at: () => fieldForm(1_000),
        past: () => fieldForm(1_001),
        code: 'SVC_ERR_REQUEST_BODY_SIZE',
      },
      {
        what: 'a field of 1 MiB in multipart',
        at: () => fieldForm(1, LARGEST_FIELD),
        past: () => fieldForm(1, LARGEST_FIELD + 1),
        code: 'SVC_ERR_REQUEST_BODY_SIZE',
      },
      {
        what: '1,000 fields',
        at: () => urlForm(1_000),
        past: () => urlForm(1_001),
        code: 'SVC_ERR_REQUEST_PARAMETERS',
      },
    ]) {
      it(`takes ${what}, and nothing past that`, async () => {
        expect((await post('', at())).status).to.equal(200);
        const refusal = await refusalOf('', past());
        expect(refusal.code).to.equal(code);
        expect(refusal.status).to.equal(code === 'SVC_ERR_REQUEST_BODY_SIZE' ? 413 : 400);
      });
    }

    it('refuses a form that is malformed, and goes on', async () => {
      const type = { 'Content-Type': 'multipart/form-data; boundary=b' };
      for (const body of [
        'no part at all',
        '--b\r\nContent-Disposition: form-data; name="A"\r\n\r\ncut off',
        '--b\r\nContent-Disposition: form-data; name="A"; filename="f"\r\n\r\ncut off',
        '--b\r\nno header',
      ]) {
        expect(await refusalOf('', body, type), body).to.include({ status: 400, code: 'SVC_ERR_REQUEST_BODY' });
      }
      for (const without of ['multipart/form-data; x=y', 'multipart/form-data', 'multipart/form-data; boundary=']) {
        const refusal = await refusalOf('', 'x', { 'Content-Type': without });
        expect(refusal, without).to.include({ status: 400, code: 'SVC_ERR_REQUEST_BODY' });
        expect(refusal.message).to.contain('names no boundary');
      }
      const bounded = (boundary: string) => ({ 'Content-Type': `multipart/form-data; boundary="${boundary}"` });
      const partOf = (boundary: string) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="A"\r\n\r\n1\r\n--${boundary}--\r\n`;
      const longest = 'b'.repeat(200);
      expect(await answerTo('', partOf(longest), bounded(longest))).to.equal('[1]');
      const tooLong = await refusalOf('', partOf(`${longest}b`), bounded(`${longest}b`));
      expect(tooLong.message).to.contain('its boundary is longer than 200 characters');
      for (const [name, value] of [
        ['A', 'a\0b'],
        ['A\0', 'ab'],
      ]) {
        const nul = `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b--\r\n`;
        expect(await refusalOf('', nul, type)).to.include({ status: 400, code: 'SVC_ERR_REQUEST_PARAMETERS' });
      }
      const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
      expect(await refusalOf('', 'A=%', form)).to.include({ status: 400, code: 'SVC_ERR_REQUEST_ENCODING' });
      expect(await answerTo('?A=1', '')).to.equal('[1]');
    });

    it('refuses a body that is compressed', async () => {
      const headers = { 'Content-Type': 'text/xml', 'Content-Encoding': 'gzip' };
      expect(await refusalOf('', 'x', headers)).to.include({ status: 415, code: 'SVC_ERR_REQUEST_BODY_TYPE' });
    });
  });

  it('HEAD answers as GET does, without the body', async () => {
    for (const path of ['/WS1.HTML+ECHO?A=1&A=23', '/WS1.HTML+NONE', '/NONE.HTML+ECHO']) {
      const headOf = (answer: string) =>
        answer
          .slice(0, answer.indexOf('\r\n\r\n'))
          .split('\r\n')
          .filter((line) => !/^(?:Date|X-Request-Id):/.test(line));
      const get = await raw(`GET ${path}`);
      const head = await raw(`HEAD ${path}`);
      expect(head).to.match(/\r\n\r\n$/);
      // of an error the page itself tells the id of the request: as long as it is
      expect(headOf(head)).to.deep.equal(headOf(get));
    }
    expect(await raw('HEAD /WS1.HTML+ECHO?A=1&A=23')).to.contain('\r\nContent-length: 00000007\r\n');
  });

  it('answers all other methods with 405 and Allow', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']) {
      const answer = await raw(`${method} /WS1.HTML+ECHO`);
      expect(statusOf(answer), method).to.equal(405);
      expect(answer, method).to.contain('\r\nAllow: GET, HEAD, POST\r\n');
    }
    for (const method of ['HEAD', 'POST', 'PUT']) {
      const answer = await raw(`${method} /TERMINAL.HTML+TSO`, 'Content-Length: 0');
      expect(statusOf(answer), method).to.equal(405);
      expect(answer, method).to.contain('\r\nAllow: GET\r\n');
    }
  });
});
