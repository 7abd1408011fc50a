import { expect } from 'chai';
import { ServiceError } from '../../src/lib/errors.js';
import { RequestNumbering, readRequestNumber } from '../../src/sessions/request-numbering.js';

function codeOf(act: () => unknown): string | undefined {
  try {
    act();
  } catch (error) {
    return error instanceof ServiceError ? `${error.code} ${error.description.status}` : String(error);
  }
  return undefined;
}

const REFUSED = 'SVC_ERR_SUBMIT_NUMBER 400';

describe('request id', () => {
  for (const id of [
    '1 ENTER 00:00:00',
    '2 ENTER 11:10:01',
    '17 PF12 23:59:59',
    '3 NULL-PF 12:00:00',
    '4 pa1 09:08:07',
  ]) {
    it(`"${id}"`, () => expect(readRequestNumber(id)).to.equal(Number.parseInt(id, 10)));
  }

  it('takes numbers of nine digits', () => {
    expect(readRequestNumber('999999999 ENTER 11:10:01')).to.equal(999_999_999);
    expect(codeOf(() => readRequestNumber('1000000000 ENTER 11:10:01'))).to.equal(REFUSED);
  });

  for (const id of [
    '',
    '1',
    'ENTER',
    '1 ENTER',
    '1  11:10:01',
    'ENTER 1 11:10:01',
    '0 ENTER 11:10:01',
    '-1 ENTER 11:10:01',
    '1.5 ENTER 11:10:01',
    '1e3 ENTER 11:10:01',
    '0x1 ENTER 11:10:01',
    '1 ENTER 24:00:00',
    '1 ENTER 11:60:01',
    '1 ENTER 11:10:60',
    '1 ENTER 1:10:01',
    '1 ENTER 11:10',
    ' 1 ENTER 11:10:01',
    '1 ENTER 11:10:01 ',
    '1 ENTER 11:10:01\n',
    '1 ENTER;x 11:10:01',
    `1 ${'X'.repeat(33)} 11:10:01`,
    '1 ENTER 11:10:01, 2 ENTER 11:10:02',
  ]) {
    it(`refuses ${JSON.stringify(id)}`, () => expect(codeOf(() => readRequestNumber(id))).to.equal(REFUSED));
  }
});

describe('request numbering', () => {
  /** Requests in turn; what each was answered: the count of what was carried out until then. */
  function session() {
    const numbering = new RequestNumbering();
    let carriedOut = 0;
    return {
      numbering,
      ask: (id: string) => numbering.once(id, async () => ++carriedOut),
    };
  }

  it('carries out each new number', async () => {
    const { ask } = session();
    expect(await ask('1 ENTER 11:10:01')).to.equal(1);
    expect(await ask('2 ENTER 11:10:01')).to.equal(2);
    expect(await ask('5 PF3 11:10:09'), 'a request that never arrived leaves a gap').to.equal(3);
  });

  it('gives the first answer again for a number that came before, whatever else the id says', async () => {
    const { ask } = session();
    expect(await ask('1 ENTER 11:10:01')).to.equal(1);
    expect(await ask('1 ENTER 11:10:01')).to.equal(1);
    expect(await ask('1 ENTER 11:10:07'), 'sent again later').to.equal(1);
    expect(await ask('1 PF3 11:10:01')).to.equal(1);
    expect(await ask('2 ENTER 11:10:08')).to.equal(2);
  });

  it('gives the answer to both who ask while it is still made', async () => {
    const numbering = new RequestNumbering();
    let times = 0;
    let finish: (answer: string) => void = () => undefined;
    const carryOut = () => {
      times++;
      return new Promise<string>((resolve) => {
        finish = resolve;
      });
    };
    const both = [numbering.once('1 ENTER 11:10:01', carryOut), numbering.once('1 ENTER 11:10:01', carryOut)];
    finish('answer');
    expect(await Promise.all(both)).to.deep.equal(['answer', 'answer']);
    expect(times).to.equal(1);
  });

  it('refuses again what it refused', async () => {
    const numbering = new RequestNumbering();
    let times = 0;
    const carryOut = async () => {
      throw new Error(`refused ${++times}`);
    };
    for (const id of ['1 ENTER 11:10:01', '1 ENTER 11:10:02']) {
      const words = await numbering.once(id, carryOut).catch((error: Error) => error.message);
      expect(words).to.equal('refused 1');
    }
  });

  it('refuses a number below the last: it was answered, and the answer is gone', async () => {
    const { ask } = session();
    await ask('1 ENTER 11:10:01');
    await ask('2 ENTER 11:10:02');
    expect(codeOf(() => ask('1 ENTER 11:10:01'))).to.equal(REFUSED);
    expect(await ask('3 ENTER 11:10:03'), 'nothing was carried out for it').to.equal(3);
  });

  it('refuses a malformed one before anything is done', async () => {
    const { ask } = session();
    expect(codeOf(() => ask('one ENTER 11:10:01'))).to.equal(REFUSED);
    expect(await ask('1 ENTER 11:10:01')).to.equal(1);
  });

  it('begins anew with a page that was loaded anew, and still carries out nothing twice', async () => {
    const { numbering, ask } = session();
    await ask('1 ENTER 11:10:01');
    await ask('2 ENTER 11:10:02');
    numbering.restart();
    expect(await ask('2 ENTER 11:10:02'), 'what the page before sent, arriving again').to.equal(2);
    expect(await ask('1 ENTER 11:10:05')).to.equal(3);
    expect(await ask('1 ENTER 11:10:05')).to.equal(3);
    expect(await ask('2 ENTER 11:10:06')).to.equal(4);
    expect(codeOf(() => ask('1 ENTER 11:10:05'))).to.equal(REFUSED);
  });
});
